#include "task.h"
#include "fold.h"

// Of the run-time, which tells no other way. They are no public interface: where one is missing, each
// span around `await` stands for itself.
__attribute__((swiftcall, weak)) void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall, weak)) uint64_t swift_task_getJobTaskId(void *task);

// No task of the run-time's has this bit.
static const uint64_t unknown_task = 1ull << 63;

uint64_t fl_current_task(void) {
  if (swift_task_getCurrent == NULL || swift_task_getJobTaskId == NULL) return 0;
  void *task = swift_task_getCurrent();
  return task == NULL ? 0 : swift_task_getJobTaskId(task);
}

void fl_see_task(void) {
  if (fl_self.sees_tasks || fl_current_task() == 0) return;
  fl_self.sees_tasks = 1;
  // No span begins on the hot path from now on.
  fl_self.hot_limit = NULL;
}

void fl_note_task(void) {
  fl_see_task();
  if (!fl_self.sees_tasks) return;
  uint64_t task = fl_current_task();
  if (task == fl_self.task) return;
  uint64_t *words = fl_room();
  if (words == NULL) return;
  fl_self.task = task;
  words[0] = fl_tick() << 8;
  words[2] = task;
  words[3] = 0;
  fl_commit(words, fl_word1(13, 0, 32, 0), 32);
}

// MARK: Spans around await

// Whether the thread can record without asking anybody.
static bool is_prepared(void) {
  return fl_self.busy == 0 && fl_self.sees_tasks &&
         __atomic_load_n(&fl_self.ready, __ATOMIC_ACQUIRE) != 0;
}

// Makes the thread ready and notes the task. false: nothing is recorded here.
static bool prepare(void) {
  if (!fl_enter_to_record()) return false;
  bool is_attached = fl_attach();
  if (is_attached) fl_note_task();
  fl_leave();
  return is_attached;
}

static int64_t untracked;

uint64_t fl_take_untracked_task_spans(void) {
  int64_t count = __atomic_exchange_n(&untracked, 0, __ATOMIC_RELAXED);
  return count > 0 ? (uint64_t)count : 0;
}

// A place for what a killed program leaves of the span. They are taken in turn: one that is still
// taken when its turn comes again is of a span that takes long.
static void take_place(fl_task_span *span) {
  uint32_t turn = fl_self.next_open_task_span++ % fl_open_task_spans;
  fl_open_task_span *place = fl_self.open_task_spans + turn;
  if (__atomic_load_n(&place->start, __ATOMIC_RELAXED) != 0) {
    __atomic_fetch_add(&untracked, 1, __ATOMIC_RELAXED);
    return;
  }
  place->task = span->task;
  place->site = span->site;
  span->place = place;
}

fl_task_span fl_begin_task_span(
    const char *name, const char *file, uint32_t line, const char *category) {
  fl_task_span span = {0};
  if (!fl_is_on()) return span;
  uint64_t task = fl_current_task();
  if (FL_UNLIKELY(!is_prepared() || task != fl_self.task) && !prepare()) return span;
  span.site = fl_site(name, file, line, category);
  span.key = fl_self.key;
  span.session = fl_self.session;
  span.task = task;
  take_place(&span);
  span.start = fl_tick();
  if (span.task == 0) span.task = unknown_task | span.start;
  // Last: a place without it is free.
  if (span.place != NULL) __atomic_store_n(&span.place->start, span.start, __ATOMIC_RELEASE);
  return span;
}

// Gives the place back. It is of a recording whose memory stays while this thread is ready for it.
static void leave_place(const fl_task_span *span) {
  if (span->place == NULL) {
    __atomic_fetch_sub(&untracked, 1, __ATOMIC_RELAXED);
    return;
  }
  __atomic_store_n(&span->place->start, 0, __ATOMIC_RELEASE);
}

// The place of a record that a signal handler leaves alone, which `fl_self.writing` says.
static uint64_t *take_record(uint64_t bytes) {
#if defined(__x86_64__)
  uint64_t place = bytes;
  __asm__ volatile("xaddq %0, %1" : "+r"(place), "+m"(fl_self.cursor));
  return (uint64_t *)place;
#else
  return (uint64_t *)__atomic_fetch_add((uintptr_t *)&fl_self.cursor, bytes, __ATOMIC_RELAXED);
#endif
}

static void set_writing(uint32_t on) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&fl_self.writing, on, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// A handler may have filled the buffer up since somebody looked: there is room for one record over
// the limit, not for two.
static void write_record(const fl_task_span *span, uint64_t duration, const fl_link *link) {
  size_t bytes = 32 + (link == NULL ? 0 : link->count * 8);
  set_writing(1);
  uint64_t *words = take_record(bytes);
  if (FL_UNLIKELY((uint8_t *)words >= fl_self.records_limit)) {
    fl_self.cursor = (uint8_t *)words;
    set_writing(0);
    fl_lose(1);
    return;
  }
  words[0] = span->start << 8;
  words[2] = duration;
  words[3] = span->task;
  uint64_t word1;
  if (link == NULL) {
    word1 = fl_word1(14, span->site, bytes, span->key >> 16 == 0 ? (uint16_t)span->key : 0);
  } else {
    for (uint32_t word = 0; word < link->count; word++) words[4 + word] = link->words[word];
    word1 = fl_word1(link->kind, span->site, bytes, link->detail);
  }
  __atomic_store_n(&words[1], word1, __ATOMIC_RELEASE);
  set_writing(0);
}

void fl_end_task_span(const fl_task_span *span, const fl_link *link) {
  if (span->start == 0) return;
  uint64_t duration = fl_tick() - span->start;
  // The task is the one in which it began.
  if (FL_UNLIKELY(!is_prepared() || span->task != fl_self.task) && !prepare()) return;
  // A recording that ended has told of the span; another one knows nothing of it.
  if (span->session != fl_self.session) return;
  if (FL_UNLIKELY(fl_self.cursor >= fl_self.records_limit)) {
    if (!fl_enter_to_record()) return;
    bool has_room = fl_room() != NULL;
    fl_leave();
    // Making room may have led to another recording.
    if (!has_room || span->session != fl_self.session) return;
  }
  write_record(span, duration, link);
  leave_place(span);
}
