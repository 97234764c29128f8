/// The loop of spans in C and in C++.
#pragma once
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

void c_loop(int64_t count);
void cxx_loop(int64_t count);

#if defined(__cplusplus)
}
#endif
