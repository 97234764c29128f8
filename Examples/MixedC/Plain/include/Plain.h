/// Work in C.
#ifndef PLAIN_H
#define PLAIN_H
#include <stddef.h>
#include <stdint.h>
#if defined(__cplusplus)
extern "C" {
#endif

/// Sorts numbers, slowly.
void plain_sort(uint32_t *numbers, size_t count);

#if defined(__cplusplus)
}
#endif
#endif
