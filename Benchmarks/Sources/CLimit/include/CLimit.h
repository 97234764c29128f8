#ifndef CLIMIT_H
#define CLIMIT_H

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// What a measured span has inside: a call that the compiler can't look into.
void outside_call(void);

/// What lies between these two is counted from outside.
void measure_begins(void);
void measure_ends(void);

/// The limit: what no tracer with two timestamps a span can undercut. One of 4096 places is
/// written, so that the store costs what a store into a warm buffer costs.
static inline uint64_t limit_clock(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

extern uint64_t limit_buffer[8192];

static inline void limit_store(uint64_t index, uint64_t begin, uint64_t end) {
  uint64_t *place = limit_buffer + (index & 4095) * 2;
  place[0] = begin;
  __atomic_store_n(&place[1], (end - begin) << 32 | 1, __ATOMIC_RELAXED);
}

/// CLOCK_MONOTONIC in nanoseconds.
static inline uint64_t limit_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// CPU time of this thread in nanoseconds.
static inline uint64_t thread_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
