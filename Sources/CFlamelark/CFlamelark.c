#define _GNU_SOURCE
#include "fold.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

FL_THREAD_LOCAL fl_thread fl_self;
uint32_t fl_state;

static fl_hooks hooks;
static pthread_key_t thread_end_key;
static bool counts_processor_ticks = true;

// In a recording whose ticks are nanoseconds, a token has this bit, so that its end is cold too.
static const uint64_t nanoseconds_bit = 1ull << 63;

static void thread_ends(void *buffer) { hooks.detach(buffer); }

void fl_install(fl_hooks new_hooks) {
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

void fl_use_counter(bool use) { counts_processor_ticks = use; }

static uint64_t (*clock_of_tests)(void);

void fl_use_clock_of_tests(uint64_t (*clock)(void)) { clock_of_tests = clock; }

uint64_t fl_tick(void) {
  if (counts_processor_ticks) return fl_counter();
  return clock_of_tests == NULL ? (uint64_t)fl_monotonic() : clock_of_tests();
}

static bool is_ready(void) { return __atomic_load_n(&fl_self.ready, __ATOMIC_RELAXED) != 0; }

uint64_t fl_begin_cold(const char *name, const char *file, uint32_t line) {
  // Not ready: the thread is new to this recording, or something waits to be taken off its stack.
  // Ready: every span of this recording comes here because its ticks are nanoseconds.
  if (!is_ready() && !hooks.attach()) return 0;
  fl_open_span *top = fl_self.top;
  if (top >= fl_self.stack_end) {
    fl_pass_over(top);
    return 0;
  }
  top->site = fl_site(name, file, line);
  fl_self.top = top + 1;
  uint64_t start = fl_tick();
  __atomic_store_n(&top->start, start, __ATOMIC_RELEASE);
  return counts_processor_ticks ? start : start | nanoseconds_bit;
}

void fl_end_cold(uint64_t token) {
  uint64_t start = token & ~nanoseconds_bit;
  uint64_t duration = fl_tick() - start;
  fl_self.top -= 1;
  fl_end_slow(start, duration, fl_self.top);
}

bool fl_make_room(void) { return fl_self.cursor < fl_true_limit() || hooks.seal(); }

// Takes what fl_end can't: a span below the least duration or with such spans in it, a full buffer,
// a long span.
void fl_end_slow(uint64_t start, uint64_t duration, fl_open_span *top) {
  if (duration < fl_self.minimum) {
    fl_fold_span(top, duration);
    return;
  }
  if (fl_self.cursor_limit == NULL && fl_self.book != NULL) fl_write_folds_in(top);
  if (!fl_make_room()) {
    fl_count(slot_lost, 1);
    __atomic_store_n(&top->start, 0, __ATOMIC_RELEASE);
    return;
  }
  uint64_t *words = (uint64_t *)fl_self.cursor;
  words[0] = start << 8 | fl_depth(top);
  if (duration >> 32 == 0) {
    fl_commit(words, duration << 32 | top->site, 16);
  } else {
    words[2] = duration;
    words[3] = 0;
    fl_commit(words, fl_word1(1, (uint32_t)top->site, 32, 0), 32);
  }
  __atomic_store_n(&top->start, 0, __ATOMIC_RELEASE);
}

uint32_t fl_site_cold(const char *name, const char *file, uint32_t line) {
  uint64_t key0 = fl_key0(name, line), key1 = fl_key1(file, line);
  fl_site_entry *place = NULL;
  for (unsigned probe = 1; probe < fl_site_probes; probe++) {
    fl_site_entry *entry = fl_site_place(&fl_self, key0, probe);
    if (entry->key0 == key0 && entry->key1 == key1) return (uint32_t)entry->site;
    if (place == NULL && entry->key0 == 0) place = entry;
  }
  fl_site_entry *first = fl_site_place(&fl_self, key0, 0);
  if (first->key0 == 0) place = first;
  if (place == NULL) place = first;
  uint32_t site = hooks.site(name, file, line);
  *place = (fl_site_entry){key0, key1, site, 0};
  return site;
}

uint64_t *fl_room_cold(void) {
  if (!is_ready() && !hooks.attach()) return NULL;
  if (fl_make_room()) return (uint64_t *)fl_self.cursor;
  fl_count(slot_lost, 1);
  return NULL;
}

// Writes a span that left the stack of the thread `key`: whatever its length, it gets a lane.
static void write_detached(uint64_t start, uint32_t site, uint32_t key) {
  uint64_t duration = fl_tick() - start;
  fl_count(slot_detached, 1);
  if (!fl_is_recording()) {
    // It was begun before the recording ended.
    fl_count(slot_lost, 1);
    return;
  }
  uint64_t *words = fl_room();
  if (words == NULL) return;
  words[0] = start << 8;
  words[2] = duration;
  words[3] = key;
  fl_commit(words, fl_word1(1, site, 32, 0), 32);
}

void fl_end_token_cold(uint64_t token, uint32_t site, uint32_t key) {
  uint64_t start = token & ~nanoseconds_bit;
  if (key != fl_self.key) {
    // Another thread's span, or one that was begun in an earlier recording of this thread.
    hooks.orphan(key, start, site);
    if (!is_ready() && fl_is_recording() && !hooks.attach()) return;
    write_detached(start, site, key);
    return;
  }
  // Not the innermost: those inside it move out by one place, and it gets a lane.
  fl_open_span *end = fl_self.top;
  fl_open_span *base = end - fl_depth(end);
  for (fl_open_span *span = end - 1; span >= base; span--) {
    if (span->start != start || (uint32_t)span->site != site) continue;
    for (fl_open_span *above = span; above + 1 < end; above++) *above = *(above + 1);
    (end - 1)->start = 0;
    fl_self.top = end - 1;
    break;
  }
  write_detached(start, site, key);
}
