// The recorder's hot path: what Swift, C and compiler-inserted hooks share.
//
// A span costs two clock reads and one 16-byte store. Everything a thread needs for it lies in one
// thread-local struct; everything that happens less often than once a span is in CFlamelark.c or,
// through `fl_hooks`, in the Swift module that imports this one.
//
// The layouts of records and slots are those of FlamelarkFormat (EventRecord, Slot).

#ifndef CFLAMELARK_H
#define CFLAMELARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// It is read by compilers of users, with their warnings.
#pragma GCC system_header

#include "cold.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define FL_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define FL_COLD __attribute__((cold, noinline, preserve_most))
#else
// A caller that saves all registers meets a function that saves them too.
#define FL_COLD __attribute__((cold, noinline))
#endif
#define FL_UNLIKELY(x) __builtin_expect(!!(x), 0)

#if defined(__ELF__)
#define FL_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
#else
#define FL_THREAD_LOCAL __thread
#endif

/// An open span on the thread's shadow stack, in memory shared with the live file.
typedef struct fl_open_span {
  uint64_t start;
  // The low half; the high one says what is below. While anything was left out inside an open span,
  // no span ends on the hot path, which would have to write that first.
  uint64_t site;
} fl_open_span;

/// In `site`: one span inside over the greatest depth, of at most 2^29; a span that no least duration
/// leaves out, although one leaves out others; a span whose record is being written; spans inside
/// that are summed up.
#define FL_PASSED_OVER (1ull << 32)
#define FL_KEPT (1ull << 61)
#define FL_ENDING (1ull << 62)
#define FL_HAS_FOLDS (1ull << 63)
/// What was left out inside.
#define FL_INSIDE (FL_HAS_FOLDS | (FL_KEPT - FL_PASSED_OVER))

/// An entry of the thread's cache of call sites. The key holds all of name, file and line:
/// pointers have 48 bits, so each takes 16 bits of the line along.
typedef struct fl_site_entry {
  uint64_t key0;
  uint64_t key1;
  uint64_t site; // as on the stack
  fl_open_span *_Nullable limit; // on the stack, from where on its spans are not recorded
} fl_site_entry;

enum { fl_site_entries = 2048, fl_site_probes = 8 };

/// Spans below the least duration, summed up by depth and call site, in memory shared with the
/// live file (FlamelarkFormat's Slot). Times are ticks.
typedef struct fl_fold {
  uint64_t start;  // of the first; 0: free
  uint64_t place;  // where on the stack they were
  uint64_t total;
  uint64_t nested; // the part of total in which others that are summed up ran inside
  uint64_t longest;
  uint64_t site;
  uint64_t count;
  uint64_t minimum; // what is not shorter is recorded
} fl_fold;

enum { fl_fold_count = 256 };

/// What is known of a thread's sums beside them.
typedef struct fl_fold_book {
  uint32_t used;          // sums that are not free
  uint64_t written[257];  // by depth: ticks of sums, and of spans below some call sites' least
                          // duration, that were written while the span around is open
} fl_fold_book;

/// What the spans of one call site are left out by.
typedef struct fl_rule {
  uint64_t minimum; // least duration, ticks
  uint64_t depth;   // not recorded inside so many others
} fl_rule;

/// A span around `await` that has not ended, in memory shared with the live file (FlamelarkFormat's
/// Slot). It may end on any thread.
typedef struct fl_open_task_span {
  uint64_t start; // 0: free
  uint64_t task;
  uint32_t site;
  uint32_t key; // of the thread on which it began
} fl_open_task_span;

enum { fl_open_task_spans = 128 };

/// A thread's share of the recording. All zero means: not attached, take the cold path.
typedef struct fl_thread {
  fl_open_span *_Nullable top;          // next free place of the shadow stack
  fl_open_span *_Nullable stack_limit;  // NULL: the next span begins in the cold path
  fl_site_entry *_Nullable sites;
  uint8_t *_Nullable cursor;            // next free byte of the records
  uint8_t *_Nullable cursor_limit;      // a record may begin before it; NULL: ends are cold
  uint64_t minimum;                     // no call site has a greater least duration; ticks
  uint64_t range;                       // up to 2^32 ticks, from there on
  uint8_t *_Nullable slot;
  uint8_t *_Nullable records_limit;     // what cursor_limit is when nothing is left out
  fl_open_span *_Nullable stack_end;    // where the greatest depth is reached
  fl_open_span *_Nullable hot_limit;    // what stack_limit is when nothing is pending
  fl_fold *_Nullable folds;
  fl_fold_book *_Nullable book;
  const fl_rule *_Nullable rules;       // by call site; NULL: none has its own
  void *_Nullable buffer;               // the Swift object behind the slot
  union {
    struct {
      uint32_t ready;                   // 0: the cold path has to ask the Swift side first
      uint32_t busy;                    // in how many cold paths the thread is
    };
    uint64_t state;                     // both: `fl_is_prepared`
  };
  uint32_t key;
  uint32_t told;                        // the last recording that knows of it; behind `key`
  uint32_t folding;                     // 1: it works on its sums
  uint32_t writing;                     // 1: a record's place is taken that is not written
  uint32_t sees_tasks;                  // 1: it was seen to run a task: outermost spans ask which
  uint32_t session;                     // the number of the recording that it is ready for
  uint32_t next_open_task_span;
  uint64_t task;                        // the one that the last record of a task names
  fl_open_task_span *_Nullable open_task_spans;
} fl_thread;

extern FL_THREAD_LOCAL fl_thread fl_self;

/// The number of the recording, 0: this process records nothing.
extern uint32_t fl_state;

/// What the Swift side does for the cold paths.
typedef struct fl_hooks {
  /// Gives the calling thread a slot, or tells that there is none.
  bool (*attach)(void);
  /// Writes the calling thread's records to the file, or hands them over, and begins anew.
  bool (*seal)(void);
  /// The id of a call site, new if it has none. Called with text, not with the cache's key.
  uint32_t (*site)(const char *name, const char *file, uint32_t line, const char *category);
  /// The thread ends: writes its slot and returns it.
  void (*detach)(void *buffer);
  /// A span of another thread's stack ends here: its owner must take it off.
  void (*orphan)(uint32_t key, uint64_t start, uint32_t site);
} fl_hooks;

// C because Swift has no thread-local storage, no inline function that C can share and no
// calling convention that spares the registers of a hot caller.

/// Sets what the cold paths call. Once, before the first recording.
void fl_install(fl_hooks hooks);
/// Remembers that the calling thread has to be detached when it ends.
void fl_watch_thread_end(void *_Nullable buffer);
/// Whether ticks come from the processor: an invariant counter that the system trusts too.
bool fl_counter_is_reliable(void);
/// Chooses the clock of ticks: the processor's counter, or CLOCK_MONOTONIC in ns.
void fl_use_counter(bool use);
/// Takes nanoseconds from a test's clock where they would be CLOCK_MONOTONIC's; NULL: no more.
/// The hot path, which reads the processor's counter, knows nothing of it.
void fl_use_clock_of_tests(uint64_t (*_Nullable clock)(void));

uint64_t fl_begin_cold(
    const char *name, const char *file, uint32_t line, const char *category) FL_COLD;
void fl_end_cold(uint64_t token) FL_COLD;
/// Ends a span that is the first of its kind to be left out in the span around it, or has something
/// left out inside, or is long, or finds the buffer full. `record` is where the cursor was when it
/// ended.
void fl_end_slow(fl_open_span *place, uint64_t duration, const uint8_t *_Nullable record) FL_COLD;
void fl_end_token_cold(uint64_t token, uint32_t site, uint32_t key) FL_COLD;
fl_site_entry *fl_site_cold(
    const char *name, const char *file, uint32_t line, const char *category) FL_COLD;
/// Counts a span that its call site's depth leaves out where no span is open.
void fl_pass_over_outside(fl_open_span *top) FL_COLD;
/// Makes the thread known to the recording first.
uint64_t fl_me_cold(void) FL_COLD;

/// What the record of a span says beside the span.
typedef struct fl_link {
  uint8_t kind;      // FlamelarkFormat's EventRecord.Kind: a wait or a stage
  uint16_t detail;
  uint32_t count;    // of words: even
  uint64_t words[4]; // from the fifth word of the record on
} fl_link;

/// Ends the span that `fl_begin` began last on this thread, with what its record says beside it.
void fl_end_linked(uint64_t token, const fl_link *link);

/// Begins a span in the calling task, while something is recorded. Not inlined: a function that
/// suspends must not keep an address of one thread's storage. Returns a token for its end: where the
/// open span is, with the number of the recording in the upper 16 bits; 0 if it isn't recorded.
uint64_t fl_begin_task_span_on(
    const char *name, const char *file, uint32_t line, const char *category);
/// Ends it, on any thread.
void fl_end_task_span_on(uint64_t token);
/// The same with what its record says beside it.
void fl_end_linked_task_span(uint64_t token, const fl_link *link);
/// The task that the calling thread runs, 0: none.
uint64_t fl_current_task(void);
/// Takes how many spans around `await` have not ended and had no place among those.
uint64_t fl_take_untracked_task_spans(void);

/// Takes a span off the calling thread's stack, wherever it is there.
void fl_take_off(uint64_t start, uint32_t site);

/// Enters a cold path, where the thread may hold locks. A signal handler that interrupts it there
/// must not: what it records is dropped and counted.
void fl_enter(void);
/// The same for a path that writes records. false: nothing is recorded, or it is such a handler.
bool fl_enter_to_record(void);
/// Leaves a cold path.
void fl_leave(void);
/// Takes how many records were dropped in signal handlers.
uint64_t fl_take_dropped(void);

/// Room for a record of up to 128 bytes at the returned address, inside `fl_enter_to_record`; NULL
/// when there is none.
uint64_t *_Nullable fl_room(void);
/// Makes the record at the cursor valid.
void fl_commit(uint64_t *words, uint64_t word1, size_t bytes);
/// Writes the sums of all depths, inside `fl_enter_to_record`: something of a frame is recorded.
void fl_write_folds(void);
/// Takes over what call sites are left out by, after a change: for the thread's sums.
void fl_refresh_folds(void);
/// The same for the call sites in its cache, or after its stack has moved.
void fl_refresh_sites(void);

/// CLOCK_MONOTONIC in nanoseconds. C because strict C hides the clock's name from inline functions.
int64_t fl_monotonic(void);

/// Ticks from the processor. C because Swift can't read its counter.
FL_INLINE uint64_t fl_counter(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return (uint64_t)fl_monotonic();
#endif
}

/// Whether ticks are the processor's.
extern bool fl_counts_ticks;

/// A tick of the clock that the recording uses.
uint64_t fl_tick(void);

FL_INLINE bool fl_is_recording(void) { return __atomic_load_n(&fl_state, __ATOMIC_RELAXED) != 0; }

/// Stores behind everything stored before. C because Swift's atomics own their memory.
FL_INLINE void fl_store_release(uint32_t *place, uint32_t value) {
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

/// Stores a word that others may read at any time.
FL_INLINE void fl_store_relaxed(uint64_t *place, uint64_t value) {
  __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

/// Changes a word of this thread's that `stop()` may read on another: no more than a plain store.
FL_INLINE void fl_add(uint64_t *place, uint64_t amount) {
  fl_store_relaxed(place, __atomic_load_n(place, __ATOMIC_RELAXED) + amount);
}

/// The second word of a record, to be read before its others.
FL_INLINE uint64_t fl_load_acquire(const uint64_t *place) {
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/// The same of half a word.
FL_INLINE uint32_t fl_load_acquire_half(const uint32_t *place) {
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/// The calling thread's struct. C because Swift can't name a thread-local variable.
FL_INLINE fl_thread *fl_current(void) { return &fl_self; }

/// Whether the calling thread may record without asking anybody: it is ready, and in no cold path.
FL_INLINE bool fl_is_prepared(void) {
  return __atomic_load_n(&fl_self.state, __ATOMIC_RELAXED) == 1;
}

/// Whether the thread is in a cold path: a signal handler that sees this must not take locks.
FL_INLINE bool fl_is_busy(void) { return fl_self.busy != 0; }

/// Whether another thread works on its sums just now.
FL_INLINE bool fl_is_folding(fl_thread *thread) {
  return __atomic_load_n(&thread->folding, __ATOMIC_ACQUIRE) != 0;
}

/// Sets what no call site's least duration is over.
FL_INLINE void fl_set_minimum(fl_thread *thread, uint64_t minimum) {
  thread->minimum = minimum;
  thread->range = minimum >> 32 == 0 ? (1ull << 32) - minimum : 0;
}

/// Sends the thread's next span into the cold path. May be called for another thread.
FL_INLINE void fl_hold(fl_thread *thread) {
  __atomic_store_n(&thread->ready, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&thread->stack_limit, NULL, __ATOMIC_SEQ_CST);
}

FL_INLINE fl_site_entry *fl_site_place(const char *name, uint32_t line, unsigned probe) {
  uint64_t hash = (uint64_t)(uintptr_t)name ^ ((uint64_t)line << 5);
  return fl_self.sites + ((hash + probe) & (fl_site_entries - 1));
}

FL_INLINE uint64_t fl_key0(const char *name, uint32_t line) {
  return (uint64_t)(uintptr_t)name ^ ((uint64_t)line << 48);
}

FL_INLINE uint64_t fl_key1(const char *file, uint32_t line) {
  return (uint64_t)(uintptr_t)file ^ ((uint64_t)(line >> 16) << 48);
}

/// What is known of a call site; the thread is attached.
FL_INLINE fl_site_entry *fl_find_site(
    const char *name, const char *file, uint32_t line, const char *category) {
  uint64_t key0 = fl_key0(name, line), key1 = fl_key1(file, line);
  fl_site_entry *entry = fl_site_place(name, line, 0);
  if (FL_UNLIKELY(entry->key0 != key0 || entry->key1 != key1))
    return fl_site_cold(name, file, line, category);
  return entry;
}

/// Its id.
FL_INLINE uint32_t fl_site(
    const char *name, const char *file, uint32_t line, const char *category) {
  return (uint32_t)fl_find_site(name, file, line, category)->site;
}

// A signal handler may take spans between any two instructions here. It leaves the stack as it was
// and adds records. So a place on the stack is taken before it is filled, and a record's place is
// taken by one instruction. While a record is not written the span says so, and a handler that finds
// the buffer full then can't seal it.

FL_INLINE void fl_set_top(fl_open_span *top) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  fl_self.top = top;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Takes the next place on the stack.
FL_INLINE void fl_push(fl_open_span *top) {
#if defined(__x86_64__)
  // One instruction, where the compiler takes two.
  (void)top;
  __asm__ volatile("addq $16, %0" : "+m"(fl_self.top));
#else
  fl_set_top(top + 1);
#endif
}

/// Takes the place of a 16-byte record.
FL_INLINE uint64_t *fl_take_record(void) {
#if defined(__x86_64__)
  uint64_t place = 16;
  // Without a lock prefix: no other thread takes from here.
  __asm__ volatile("xaddq %0, %1" : "+r"(place), "+m"(fl_self.cursor));
  return (uint64_t *)place;
#else
  return (uint64_t *)__atomic_fetch_add((uintptr_t *)&fl_self.cursor, 16, __ATOMIC_RELAXED);
#endif
}

/// The low byte of a record: how many spans are open around the one at `top`. The stack begins a
/// page and an entry has 16 bytes.
FL_INLINE uint64_t fl_depth(const fl_open_span *top) { return ((uintptr_t)top >> 4) & 0xFF; }

/// The first word of a span's record.
FL_INLINE uint64_t fl_word0(uint64_t start, fl_open_span *place) {
  uint64_t word = start << 8;
#if defined(__x86_64__)
  // One instruction, where the compiler takes two.
  uint32_t depth = (uint32_t)(uintptr_t)place >> 4;
  __asm__("movb %b1, %b0" : "+q"(word) : "q"(depth));
  return word;
#else
  return word | fl_depth(place);
#endif
}

/// Counts a span over the greatest depth with the one around it, whose end has to write that.
FL_INLINE void fl_pass_over(fl_open_span *top) {
  fl_add(&(top - 1)->site, FL_PASSED_OVER);
  fl_self.cursor_limit = NULL;
}

/// Counts a span over the greatest depth of its call site.
FL_INLINE void fl_pass_over_by_rule(fl_open_span *top) {
  if (fl_depth(top) != 0) fl_pass_over(top);
  else fl_pass_over_outside(top);
}

/// `fl_is_recording` in one instruction less than the compiler takes.
FL_INLINE bool fl_is_on(void) {
#if defined(__x86_64__)
  bool is_on;
  __asm__ volatile("cmpl $0, %1" : "=@ccne"(is_on) : "m"(fl_state));
  return is_on;
#else
  return fl_is_recording();
#endif
}

/// What others may know of the calling thread by: its key and, above that, the recording that knows
/// it. Of another recording, or 0: it is not known.
FL_INLINE uint64_t fl_me(void) {
  uint64_t me;
  __builtin_memcpy(&me, &fl_self.key, sizeof me);
  if (FL_UNLIKELY(me >> 32 != __atomic_load_n(&fl_state, __ATOMIC_RELAXED))) return fl_me_cold();
  return me;
}

/// The task that the calling thread runs, if it was seen to run any; 0 else.
FL_INLINE uint64_t fl_my_task(void) { return fl_self.sees_tasks ? fl_current_task() : 0; }

/// Begins a link. Returns its number, 0 if it isn't recorded.
FL_INLINE uint64_t fl_begin_flow(const char *name, const char *file, uint32_t line) {
  return fl_is_on() ? fl_record_flow_begin(name, file, line) : 0;
}

/// Ends a link, or one of its branches, on any thread.
FL_INLINE void fl_end_flow(uint64_t number, const char *name, const char *file, uint32_t line) {
  if (number != 0) fl_record_flow_end(number, name, file, line);
}

/// Begins a span of a call site at the top of the stack.
FL_INLINE uint64_t fl_begin_at(fl_open_span *top, const fl_site_entry *site) {
  fl_push(top);
  fl_store_relaxed(&top->site, site->site);
  uint64_t start = fl_counter();
  __atomic_store_n(&top->start, start, __ATOMIC_RELEASE);
  return start;
}

/// Begins a span. Returns its start tick, 0 if it isn't recorded.
FL_INLINE uint64_t fl_begin(
    const char *name, const char *file, uint32_t line, const char *category) {
  // While nothing is recorded no thread has a limit.
  fl_open_span *limit = __atomic_load_n(&fl_self.stack_limit, __ATOMIC_RELAXED);
  if (limit == NULL) return fl_is_on() ? fl_begin_cold(name, file, line, category) : 0;
  fl_open_span *top = fl_self.top;
  if (FL_UNLIKELY(top >= limit)) {
    fl_pass_over(top);
    return 0;
  }
  fl_site_entry *site = fl_find_site(name, file, line, category);
  if (FL_UNLIKELY(top >= site->limit)) {
    fl_pass_over_by_rule(top);
    return 0;
  }
  return fl_begin_at(top, site);
}

/// Begins a span around `await`. Returns its token.
FL_INLINE uint64_t fl_begin_task_span(
    const char *name, const char *file, uint32_t line, const char *category) {
  return fl_is_on() ? fl_begin_task_span_on(name, file, line, category) : 0;
}

/// Ends it, on any thread.
FL_INLINE void fl_end_task_span(uint64_t token) {
  if (token != 0) fl_end_task_span_on(token);
}

/// Gives back the place of a span that has ended.
FL_INLINE void fl_leave_place(fl_open_span *place) {
  __atomic_store_n(&place->start, 0, __ATOMIC_RELEASE);
}

/// Whether no least duration leaves out a span nor the one around it.
FL_INLINE bool fl_is_kept(const fl_open_span *place) {
  return place->site & FL_KEPT && (fl_depth(place) == 0 || (place - 1)->site & FL_KEPT);
}

/// Sums up a span that is left out, if it is not the first of its call site there.
FL_INLINE void fl_fold_span(
    fl_open_span *place, uint64_t duration, const uint8_t *_Nullable record) {
  fl_fold *fold = fl_self.folds + (place->site & (fl_fold_count - 1));
  // All of `site` is compared: with something left out inside it is none of a sum.
  if (FL_UNLIKELY(fold->place != (uintptr_t)place || fold->site != place->site ||
                  duration >= fold->minimum)) {
    fl_end_slow(place, duration, record);
    return;
  }
  fl_set_top(place);
  fl_add(&fold->count, 1);
  fl_add(&fold->total, duration);
  if (duration > fold->longest) fl_store_relaxed(&fold->longest, duration);
  fl_leave_place(place);
}

/// The duration of a span at whose end a signal handler recorded something, which lies in front of
/// the record taken for it and so has to lie inside; what lies behind that must not.
uint64_t fl_end_again(uint64_t token, const uint64_t *words) FL_COLD;

/// Ends the span that `fl_begin` began last on this thread.
FL_INLINE void fl_end(uint64_t token) {
  if (FL_UNLIKELY((int64_t)token <= 0)) {
    // 0: not recorded. Negative: ticks are nanoseconds, and every span takes the cold path.
    if (token != 0) fl_end_cold(token);
    return;
  }
  // Volatile: read before the clock.
  uint8_t *record = *(uint8_t *volatile *)&fl_self.cursor;
  uint64_t duration = fl_counter() - token;
  fl_open_span *place = fl_self.top - 1;
  // One comparison for too short and too long.
  uint64_t excess = duration - fl_self.minimum;
  if (FL_UNLIKELY(excess >= fl_self.range)) {
    if ((int64_t)excess >= 0) {
      fl_end_slow(place, duration, record);
      return;
    }
    if (!fl_is_kept(place)) {
      fl_fold_span(place, duration, record);
      return;
    }
  }
  if (FL_UNLIKELY(record >= fl_self.cursor_limit)) {
    fl_end_slow(place, duration, record);
    return;
  }
  __atomic_store_n((uint32_t *)&place->site + 1, FL_ENDING >> 32, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint64_t *words = fl_take_record();
  if (FL_UNLIKELY((uint8_t *)words != record)) duration = fl_end_again(token, words);
  words[0] = fl_word0(token, place);
  // The second word last: a record without it was not written.
  __atomic_store_n(&words[1], duration << 32 | (uint32_t)place->site, __ATOMIC_RELEASE);
  fl_set_top(place);
  fl_leave_place(place);
}

/// The call site of the span begun last on this thread.
FL_INLINE uint32_t fl_top_site(void) { return (uint32_t)(fl_self.top - 1)->site; }

/// Ends a span by its token, wherever that happens.
FL_INLINE void fl_end_token(uint64_t token, uint32_t site, uint32_t key) {
  if (token == 0) return;
  fl_open_span *top = fl_self.top;
  if (FL_UNLIKELY(key != fl_self.key || fl_depth(top) == 0 ||
                  (top - 1)->start != (token & (UINT64_MAX >> 1)) || (uint32_t)(top - 1)->site != site)) {
    fl_end_token_cold(token, site, key);
    return;
  }
  fl_end(token);
}

/// The second word of an extended record (EventRecord.word1).
FL_INLINE uint64_t fl_word1(uint8_t kind, uint32_t id, size_t bytes, uint16_t detail) {
  return (uint64_t)id | 1u << 31 | (uint64_t)kind << 32 | (uint64_t)(bytes / 16) << 40 |
         (uint64_t)detail << 48;
}

#if defined(__cplusplus)
}
#endif
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#include "follow.h"

#endif
