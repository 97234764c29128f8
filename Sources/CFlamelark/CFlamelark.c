#define _GNU_SOURCE
#include "fold.h"
#include "task.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <os/os_sync_wait_on_address.h>
#else
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

FL_THREAD_LOCAL fl_thread fl_self;
uint32_t fl_state;
uint32_t fl_followers;

static fl_hooks hooks;
static pthread_key_t thread_end_key;
bool fl_counts_ticks = true;

// In a recording whose ticks are nanoseconds, a token has this bit, so that its end is cold too.
static const uint64_t nanoseconds_bit = 1ull << 63;

static void thread_ends(void *buffer) { hooks.detach(buffer); }

// Keeps the library loaded that this is part of. The system calls it when threads and the process
// end, and threads may be in it, also after the program has unloaded a library that records.
static void stay_loaded(void) {
  Dl_info info;
  if (dladdr((const void *)&fl_install, &info) != 0 && info.dli_fname != NULL)
    (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void fl_install(fl_hooks new_hooks) {
  stay_loaded();
  hooks = new_hooks;
  pthread_key_create(&thread_end_key, thread_ends);
}

void fl_watch_thread_end(void *buffer) { pthread_setspecific(thread_end_key, buffer); }

bool fl_counter_is_reliable(void) {
#if defined(__x86_64__)
  char name[32] = {0};
  FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  if (file == NULL) return false;
  size_t length = fread(name, 1, sizeof name - 1, file);
  fclose(file);
  // The kernel watches the counter: where it keeps time by it, so can we. Under a hypervisor it
  // keeps time by a page that says how to read the counter; then the processor has to say that
  // the counter never changes its pace.
  if (length >= 3 && memcmp(name, "tsc", 3) == 0) return true;
  unsigned a, b, c, d;
  bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
  return invariant && ((length >= 9 && memcmp(name, "kvm-clock", 9) == 0) ||
                       (length >= 6 && memcmp(name, "hyperv", 6) == 0));
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

void fl_take_blocks(int file, int64_t from, int64_t bytes) {
#if defined(__linux__)
  (void)!fallocate(file, FALLOC_FL_KEEP_SIZE, from, bytes);
#endif
}

void fl_run_in_background(void) {
#if defined(__linux__)
  struct sched_param none = {0};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  pthread_setname_np(pthread_self(), "flamelark");
#endif
}

void fl_thread_name(char *name, size_t bytes) {
  if (pthread_getname_np(pthread_self(), name, bytes) != 0) name[0] = 0;
}

uint32_t fl_thread_id(void) {
#if defined(__APPLE__)
  return pthread_mach_thread_np(pthread_self());
#else
  return (uint32_t)gettid();
#endif
}

int64_t fl_monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool counts_ticks(void) {
  return __atomic_load_n(&fl_counts_ticks, __ATOMIC_RELAXED);
}

void fl_use_counter(bool use) {
  __atomic_store_n(&fl_counts_ticks, use, __ATOMIC_RELAXED);
}

static uint64_t (*clock_of_tests)(void);

void fl_use_clock_of_tests(uint64_t (*clock)(void)) { clock_of_tests = clock; }

uint64_t fl_tick(void) {
  if (counts_ticks()) return fl_counter();
  return clock_of_tests == NULL ? (uint64_t)fl_monotonic() : clock_of_tests();
}

static bool is_ready(void) { return __atomic_load_n(&fl_self.ready, __ATOMIC_SEQ_CST) != 0; }

// MARK: Cold paths

static uint64_t dropped;

static void drop(void) { __atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED); }

uint64_t fl_take_dropped(void) { return __atomic_exchange_n(&dropped, 0, __ATOMIC_RELAXED); }

void fl_enter(void) {
  fl_self.busy++;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&fl_self.stack_limit, NULL, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

bool fl_enter_to_record(void) {
  if (!fl_is_recording()) return false;
  if (fl_self.busy != 0) {
    drop();
    return false;
  }
  fl_enter();
  return true;
}

void fl_set_recording(uint32_t number) {
  __atomic_store_n(&fl_state, number, __ATOMIC_RELEASE);
  if (number != 0) {
    __atomic_fetch_or(&fl_followers, 1, __ATOMIC_RELEASE);
  } else {
    __atomic_fetch_and(&fl_followers, ~1u, __ATOMIC_RELEASE);
  }
}

void fl_add_follower(void) { __atomic_fetch_add(&fl_followers, 2, __ATOMIC_RELEASE); }

void fl_remove_follower(void) { __atomic_fetch_sub(&fl_followers, 2, __ATOMIC_RELEASE); }

void fl_leave(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (--fl_self.busy != 0) return;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (is_ready()) __atomic_store_n(&fl_self.stack_limit, fl_self.hot_limit, __ATOMIC_SEQ_CST);
  // Somebody may hold the thread just now.
  if (!is_ready()) __atomic_store_n(&fl_self.stack_limit, NULL, __ATOMIC_SEQ_CST);
}

// Whether this is a signal handler that interrupted the writing of a record.
static bool is_in_a_record(void) {
  if (fl_self.writing) return true;
  if (fl_self.top == NULL) return false;
  fl_open_span *base = fl_self.top - fl_depth(fl_self.top);
  for (fl_open_span *span = base; span < fl_self.top; span++)
    if (span->site & FL_ENDING && span->start != 0) return true;
  return false;
}

bool fl_make_room(void) {
  if (fl_self.cursor < fl_self.records_limit) return true;
  return !is_in_a_record() && hooks.seal();
}

void fl_lose(uint64_t count) {
  if (is_in_a_record()) __atomic_fetch_add(&dropped, count, __ATOMIC_RELAXED);
  else fl_count(slot_lost, count);
}

// A signal handler takes no thread into another recording that is in the middle of something.
bool fl_attach(void) { return is_ready() || (!fl_self.writing && hooks.attach()); }

uint64_t *fl_room(void) {
  if (!fl_attach()) return NULL;
  if (fl_make_room()) return (uint64_t *)fl_self.cursor;
  fl_lose(1);
  return NULL;
}

void fl_commit(uint64_t *words, uint64_t word1, size_t bytes) {
  fl_self.cursor = (uint8_t *)words + bytes;
  __atomic_store_n(&words[1], word1, __ATOMIC_RELEASE);
}

uint64_t fl_me_cold(void) {
  // In a signal handler the thread may hold the locks that this takes.
  if (!fl_is_recording() || fl_self.busy != 0) return 0;
  fl_enter();
  if (fl_attach()) fl_see_task();
  fl_leave();
  return (uint64_t)fl_self.told << 32 | fl_self.key;
}

// MARK: Spans

// Ready: every span of this recording comes here because its ticks are nanoseconds. Not ready: the
// thread is new to this recording, or something waits to be taken off its stack, or what is left
// out has changed.
static uint64_t begin(const char *name, const char *file, uint32_t line, const char *category) {
  if (!fl_attach()) return 0;
  fl_note_task();
  fl_open_span *top = fl_self.top;
  if (top >= fl_self.stack_end) {
    fl_pass_over(top);
    return 0;
  }
  fl_site_entry *site = fl_find_site(name, file, line, category);
  if (top >= site->limit) {
    fl_pass_over_by_rule(top);
    return 0;
  }
  fl_store_relaxed(&top->site, site->site);
  fl_self.top = top + 1;
  uint64_t start = fl_tick();
  __atomic_store_n(&top->start, start, __ATOMIC_RELEASE);
  return counts_ticks() ? start : start | nanoseconds_bit;
}

// A thread that runs tasks has no limit of its stack, so that its outermost spans ask for the task.
// What they do else is what `fl_begin` does.
static bool begins_as_before(fl_open_span *top) {
  return fl_self.sees_tasks && fl_self.busy == 0 && is_ready() && counts_ticks() &&
         top < fl_self.stack_end && (fl_depth(top) != 0 || fl_current_task() == fl_self.task);
}

uint64_t fl_begin_cold(const char *name, const char *file, uint32_t line, const char *category) {
  fl_open_span *top = fl_self.top;
  if (begins_as_before(top)) {
    fl_site_entry *site = fl_find_site(name, file, line, category);
    if (top < site->limit) return fl_begin_at(top, site);
  }
  if (!fl_enter_to_record()) return 0;
  uint64_t token = begin(name, file, line, category);
  fl_leave();
  return token;
}

uint64_t fl_end_again(uint64_t token, const uint64_t *words) {
  uint64_t end = fl_tick();
  for (const uint64_t *next = words + 2; next < (uint64_t *)fl_self.cursor && next[1] != 0;) {
    // The low bits of the others' ticks are all that differs.
    uint64_t start = (end & ~(UINT64_MAX >> 8)) | next[0] >> 8;
    if (start < end) end = start;
    next += next[1] >> 31 & 1 ? (next[1] >> 40 & 0xFF) * 2 : 2;
  }
  uint64_t duration = end - token;
  // Its place has room for no more.
  return duration >> 32 == 0 ? duration : UINT32_MAX;
}

void fl_end_cold(uint64_t token) {
  // Volatile: read before the clock.
  const uint8_t *record = *(uint8_t *volatile *)&fl_self.cursor;
  uint64_t duration = fl_tick() - (token & ~nanoseconds_bit);
  fl_end_slow(fl_self.top - 1, duration, record);
}

static void write_span(fl_open_span *place, uint64_t duration, const fl_link *link) {
  if (!fl_make_room()) {
    fl_lose(1);
    return;
  }
  uint64_t *words = (uint64_t *)fl_self.cursor;
  words[0] = place->start << 8 | fl_depth(place);
  if (link != NULL) {
    words[2] = duration;
    words[3] = 0;
    for (uint32_t word = 0; word < link->count; word++) words[4 + word] = link->words[word];
    size_t bytes = 32 + link->count * 8;
    fl_commit(words, fl_word1(link->kind, (uint32_t)place->site, bytes, link->detail), bytes);
  } else if (duration >> 32 == 0) {
    fl_commit(words, duration << 32 | (uint32_t)place->site, 16);
  } else {
    words[2] = duration;
    words[3] = 0;
    fl_commit(words, fl_word1(1, (uint32_t)place->site, 32, 0), 32);
  }
}

static void set_folding(uint32_t on) {
  __atomic_store_n(&fl_self.folding, on, __ATOMIC_RELEASE);
}

static void end(
    fl_open_span *place, uint64_t duration, const uint8_t *record, const fl_link *link) {
  fl_enter();
  if (fl_self.cursor != record) duration = fl_tick() - place->start;
  if (fl_is_left_out(place, duration)) {
    set_folding(1);
    fl_sum_up(place, duration);
    set_folding(0);
  } else {
    if (fl_self.cursor_limit == NULL && fl_self.book != NULL) {
      set_folding(1);
      fl_write_folds_in(place);
      set_folding(0);
    }
    write_span(place, duration, link);
    if (duration < fl_self.minimum) fl_keep_short(place, duration);
  }
  fl_set_top(place);
  fl_leave_place(place);
  fl_leave();
}

void fl_end_slow(fl_open_span *place, uint64_t duration, const uint8_t *record) {
  end(place, duration, record, NULL);
}

void fl_end_linked(uint64_t token, const fl_link *link) {
  if (token == 0) return;
  // Volatile: read before the clock.
  const uint8_t *record = *(uint8_t *volatile *)&fl_self.cursor;
  uint64_t duration = fl_tick() - (token & ~nanoseconds_bit);
  end(fl_self.top - 1, duration, record, link);
}

// Keeps in a cached call site what it is left out by.
static void take_rule(fl_site_entry *entry) {
  uint32_t site = (uint32_t)entry->site;
  entry->site = site;
  entry->limit = (fl_open_span *)UINTPTR_MAX;
  if (fl_self.rules == NULL) return;
  const fl_rule *rule = fl_self.rules + site;
  uint64_t depth = __atomic_load_n(&rule->depth, __ATOMIC_RELAXED);
  if (depth < 255) entry->limit = fl_self.top - fl_depth(fl_self.top) + depth;
  if (__atomic_load_n(&rule->minimum, __ATOMIC_RELAXED) == 0) entry->site |= FL_KEPT;
}

void fl_refresh_sites(void) {
  for (unsigned i = 0; i < fl_site_entries; i++)
    if (fl_self.sites[i].key0 != 0) take_rule(fl_self.sites + i);
}

fl_site_entry *fl_site_cold(
    const char *name, const char *file, uint32_t line, const char *category) {
  uint64_t key0 = fl_key0(name, line), key1 = fl_key1(file, line);
  fl_site_entry *place = NULL;
  for (unsigned probe = 1; probe < fl_site_probes; probe++) {
    fl_site_entry *entry = fl_site_place(name, line, probe);
    if (entry->key0 == key0 && entry->key1 == key1) return entry;
    if (place == NULL && entry->key0 == 0) place = entry;
  }
  fl_site_entry *first = fl_site_place(name, line, 0);
  if (first->key0 == 0) place = first;
  if (place == NULL) place = first;
  fl_enter();
  // A call site that is new to the thread may be the first of a task.
  fl_see_task();
  uint32_t site = hooks.site(name, file, line, category);
  *place = (fl_site_entry){.key0 = key0, .key1 = key1, .site = site};
  take_rule(place);
  fl_leave();
  return place;
}

// Writes a span that left the stack of the thread `key`: whatever its length, it gets a lane.
static void write_detached(uint64_t start, uint32_t site, uint32_t key) {
  uint64_t duration = fl_tick() - start;
  uint64_t *words = fl_room();
  if (words == NULL) return;
  fl_count(slot_detached, 1);
  words[0] = start << 8;
  words[2] = duration;
  words[3] = key;
  fl_commit(words, fl_word1(1, site, 32, 0), 32);
}

// Those inside it move out by one place.
void fl_take_off(uint64_t start, uint32_t site) {
  fl_open_span *end = fl_self.top;
  if (end == NULL) return;
  fl_open_span *base = end - fl_depth(end);
  for (fl_open_span *span = end - 1; span >= base; span--) {
    if (span->start != start || (uint32_t)span->site != site) continue;
    for (fl_open_span *above = span; above + 1 < end; above++) {
      fl_store_relaxed(&above->site, (above + 1)->site);
      __atomic_store_n(&above->start, (above + 1)->start, __ATOMIC_RELEASE);
    }
    fl_leave_place(end - 1);
    fl_self.top = end - 1;
    return;
  }
}

void fl_end_token_cold(uint64_t token, uint32_t site, uint32_t key) {
  uint64_t start = token & ~nanoseconds_bit;
  if (fl_self.busy != 0) {
    drop();
    return;
  }
  fl_enter();
  // Another thread's span, or one that was begun in an earlier recording of this thread.
  if (key != fl_self.key) hooks.orphan(key, start, site);
  else fl_take_off(start, site);
  if (fl_is_recording()) write_detached(start, site, key);
  // It was begun before the recording ended.
  else fl_count(slot_lost, 1);
  fl_leave();
}

// MARK: Values and moments

void fl_record_counter(const char *name, const char *file, uint32_t line, int64_t value) {
  if (!fl_enter_to_record()) return;
  uint64_t *words = fl_room();
  if (words != NULL) {
    uint32_t site = fl_site(name, file, line, "");
    words[0] = fl_tick() << 8;
    words[2] = (uint64_t)value;
    words[3] = 0;
    fl_commit(words, fl_word1(3, site, 32, 0), 32);
  }
  fl_leave();
}

void fl_record_marker(const char *name, const char *file, uint32_t line) {
  if (!fl_enter_to_record()) return;
  uint64_t *words = fl_room();
  if (words != NULL) {
    uint32_t site = fl_site(name, file, line, "");
    words[0] = fl_tick() << 8;
    fl_commit(words, fl_word1(4, site, 16, 0), 16);
  }
  fl_leave();
}

// MARK: Links

static bool write_flow(
    uint64_t number, bool is_end, const char *name, const char *file, uint32_t line) {
  if (!fl_enter_to_record()) return false;
  uint64_t *words = fl_room();
  if (words != NULL) {
    uint32_t site = fl_site(name, file, line, "");
    words[0] = fl_tick() << 8;
    words[2] = number;
    words[3] = fl_my_task();
    fl_commit(words, fl_word1(17, site, 32, is_end), 32);
  }
  fl_leave();
  return words != NULL;
}

uint64_t fl_record_flow_begin(const char *name, const char *file, uint32_t line) {
  static uint64_t count;
  uint64_t number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  return write_flow(number, false, name, file, line) ? number : 0;
}

void fl_record_flow_end(uint64_t number, const char *name, const char *file, uint32_t line) {
  write_flow(number, true, name, file, line);
}

// MARK: Waiting

#if defined(__APPLE__)

void fl_park(uint32_t *word) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
    os_sync_wait_on_address(word, 0, sizeof *word, OS_SYNC_WAIT_ON_ADDRESS_NONE);
}

void fl_unpark(uint32_t *word) {
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  os_sync_wake_by_address_any(word, sizeof *word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
}

#else

void fl_park(uint32_t *word) {
  int error = errno;
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  errno = error;
}

void fl_unpark(uint32_t *word) {
  int error = errno;
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = error;
}

#endif
