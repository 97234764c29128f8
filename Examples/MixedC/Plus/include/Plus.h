/// Work in C++.
#ifndef PLUS_H
#define PLUS_H
#include <stdint.h>
#if defined(__cplusplus)
extern "C" {
#endif

/// A picture of so many pixels, as a number.
uint64_t plus_render(uint32_t pixels);

/// A loop of so many steps with frames of its own.
void plus_simulate(uint32_t steps);

#if defined(__cplusplus)
}
#endif
#endif
