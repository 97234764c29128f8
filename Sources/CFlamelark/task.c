#include "task.h"
#include "fold.h"

#include <stdlib.h>

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

// In a token: the place is memory of its own, which a killed program doesn't leave.
static const uint64_t is_untracked = 1;
enum { session_shift = 48 };

static FL_COLD uint64_t take_untracked_place(void) {
  void *place = malloc(sizeof(fl_open_task_span));
  if (place == NULL) return 0;
  __atomic_fetch_add(&untracked, 1, __ATOMIC_RELAXED);
  return (uint64_t)(uintptr_t)place | is_untracked;
}

static FL_COLD void leave_untracked_place(uint64_t token, fl_open_task_span *place) {
  // Those of an earlier recording are counted in it.
  if (token >> session_shift == (uint16_t)__atomic_load_n(&fl_state, __ATOMIC_RELAXED))
    __atomic_fetch_sub(&untracked, 1, __ATOMIC_RELAXED);
  free(place);
}

// Places are taken in turn: one that is still taken when its turn comes again is of a span that takes
// long.
FL_INLINE uint64_t take_place(void) {
  uint32_t turn = fl_self.next_open_task_span++ % fl_open_task_spans;
  fl_open_task_span *place = fl_self.open_task_spans + turn;
  // Acquired: who ended the last one has read it before.
  if (FL_UNLIKELY(__atomic_load_n(&place->start, __ATOMIC_ACQUIRE) != 0))
    return take_untracked_place();
  return (uint64_t)(uintptr_t)place;
}

FL_INLINE fl_open_task_span *place_of(uint64_t token) {
  uint64_t address = token << (64 - session_shift) >> (64 - session_shift);
  return (fl_open_task_span *)(uintptr_t)(address & ~is_untracked);
}

FL_INLINE uint64_t tick(void) {
  return __atomic_load_n(&fl_counts_ticks, __ATOMIC_RELAXED) ? fl_counter() : fl_tick();
}

FL_INLINE void set_writing(uint32_t on) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&fl_self.writing, on, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Keeps the thread in its recording, also from a signal handler that would take it into another one, and
// makes it say which task it runs. false: it can't record.
FL_INLINE bool hold_still(uint64_t task) {
  set_writing(1);
  if (fl_is_prepared() && task == fl_self.task) return true;
  set_writing(0);
  if (!prepare()) return false;
  set_writing(1);
  if (fl_is_prepared()) return true;
  set_writing(0);
  return false;
}

uint64_t fl_begin_task_span_on(
    const char *name, const char *file, uint32_t line, const char *category) {
  if (FL_UNLIKELY(!fl_is_prepared()) && !prepare()) return 0;
  uint32_t site = fl_site(name, file, line, category);
  uint64_t task = fl_current_task();
  if (FL_UNLIKELY(!hold_still(task))) return 0;
  uint64_t token = take_place();
  if (FL_UNLIKELY(token == 0)) {
    set_writing(0);
    return 0;
  }
  fl_open_task_span *place = place_of(token);
  place->task = task;
  place->site = site;
  place->key = fl_self.key;
  token |= (uint64_t)fl_self.session << session_shift; // 16 bits of it
  uint64_t start = tick();
  if (FL_UNLIKELY(task == 0)) place->task = unknown_task | start;
  // Last: a place without it is free.
  __atomic_store_n(&place->start, start, __ATOMIC_RELEASE);
  set_writing(0);
  return token;
}

// The place of a record that a signal handler leaves alone, which `fl_self.writing` says.
FL_INLINE uint64_t *take_record(uint64_t bytes) {
#if defined(__x86_64__)
  uint64_t place = bytes;
  __asm__ volatile("xaddq %0, %1" : "+r"(place), "+m"(fl_self.cursor));
  return (uint64_t *)place;
#else
  return (uint64_t *)__atomic_fetch_add((uintptr_t *)&fl_self.cursor, bytes, __ATOMIC_RELAXED);
#endif
}

// A handler may have filled the buffer up since somebody looked: there is room for one record over
// the limit, not for two.
static FL_COLD void lose(uint64_t *words) {
  fl_self.cursor = (uint8_t *)words;
  fl_lose(1);
}

FL_INLINE void write_record(
    const fl_open_task_span *span, uint64_t duration, const fl_link *link) {
  size_t bytes = 32 + (link == NULL ? 0 : link->count * 8);
  uint64_t *words = take_record(bytes);
  if (FL_UNLIKELY((uint8_t *)words >= fl_self.records_limit)) {
    lose(words);
    return;
  }
  words[0] = span->start << 8;
  words[2] = duration;
  words[3] = span->task;
  uint64_t word1;
  if (link == NULL) {
    word1 = fl_word1(14, span->site, 32, span->key >> 16 == 0 ? (uint16_t)span->key : 0);
  } else {
    for (uint32_t word = 0; word < link->count; word++) words[4 + word] = link->words[word];
    word1 = fl_word1(link->kind, span->site, bytes, link->detail);
  }
  __atomic_store_n(&words[1], word1, __ATOMIC_RELEASE);
}

// A place is of a recording whose memory stays while the calling thread is ready for it.
FL_INLINE bool is_of_this_recording(uint64_t token) {
  return token >> session_shift == (uint16_t)fl_self.session;
}

// Whether the record of a span can be written as things stand. A recording that ended has told of its
// spans; another one knows nothing of them.
FL_INLINE bool is_ready_for(uint64_t token) {
  return fl_is_prepared() && is_of_this_recording(token) &&
         fl_self.cursor < fl_self.records_limit;
}

// Makes everything ready, with a handler held off. false: nothing is to be recorded.
static FL_COLD bool make_ready(uint64_t token) {
  set_writing(0);
  if (!fl_is_prepared() && !prepare()) return false;
  // The task is the one in which it began.
  if (is_of_this_recording(token) && place_of(token)->task != fl_self.task && !prepare())
    return false;
  if (fl_is_prepared() && fl_self.cursor >= fl_self.records_limit) {
    if (!fl_enter_to_record()) return false;
    (void)fl_room();
    fl_leave();
  }
  // Each of these may have led to another recording.
  set_writing(1);
  return is_ready_for(token);
}

FL_INLINE void end(uint64_t token, const fl_link *link) {
  uint64_t now = tick();
  fl_open_task_span *span = place_of(token);
  set_writing(1);
  bool is_ready = is_ready_for(token) && span->task == fl_self.task;
  if (is_ready || make_ready(token)) {
    write_record(span, now - span->start, link);
    // After its record: who is killed in between leaves both, and a reader takes one.
    if (!(token & is_untracked)) __atomic_store_n(&span->start, 0, __ATOMIC_RELEASE);
  }
  set_writing(0);
  if (FL_UNLIKELY(token & is_untracked)) leave_untracked_place(token, span);
}

void fl_end_task_span_on(uint64_t token) { end(token, NULL); }

void fl_end_linked_task_span(uint64_t token, const fl_link *link) {
  if (token != 0) end(token, link);
}
