#include "CLimit.h"

uint64_t limit_buffer[8192];

__attribute__((noinline)) void outside_call(void) { __asm__ volatile("" ::: "memory"); }

// Two functions that no compiler takes for one.
__attribute__((noinline)) void measure_begins(void) { __asm__ volatile("# begins" ::: "memory"); }

__attribute__((noinline)) void measure_ends(void) { __asm__ volatile("# ends\n\tnop" ::: "memory"); }
