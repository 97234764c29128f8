#include "CLimit.h"

uint64_t limit_buffer[8192];

__attribute__((noinline)) void outside_call(void) { __asm__ volatile("" ::: "memory"); }
