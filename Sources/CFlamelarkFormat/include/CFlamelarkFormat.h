#ifndef CFLAMELARKFORMAT_H
#define CFLAMELARKFORMAT_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The CRC-32C of `count` bytes, going on from `crc` (0 for the first bytes).
/// C because Swift has no way to reach the processor's CRC instruction.
uint32_t fl_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same by table, whatever the processor has. For tests to compare with.
/// C because it is the fallback of the function above.
uint32_t fl_crc32c_by_table(uint32_t crc, const void *bytes, size_t count);

#pragma clang assume_nonnull end
#endif
