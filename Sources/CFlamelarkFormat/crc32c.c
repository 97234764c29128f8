// CRC-32C (Castagnoli), reflected, polynomial 0x82F63B78.
//
// The processor's instruction takes 3 cycles and can start one a cycle, so three independent
// streams keep it busy. The three partial sums are joined by "shifting" one over the bytes that
// follow it: a multiplication by x^(8n) modulo the polynomial, done by table for one fixed n.

#include "CFlamelarkFormat.h"

#include <pthread.h>
#include <string.h>

enum { lane = 1024 };  // bytes a stream takes in one round

static uint32_t table[8][256];
static uint32_t shift_lane[4][256];  // crc over `lane` zero bytes, by byte of the crc

static uint32_t multiply(uint32_t a, uint32_t b) {
  // a·b modulo the polynomial, bit-reflected: bit 31 is x^0.
  uint32_t product = 0;
  for (uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
    if (a & bit) product ^= b;
    b = (b >> 1) ^ ((b & 1) ? 0x82F63B78u : 0);
  }
  return product;
}

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0);
    table[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++)
      table[k][i] = (table[k - 1][i] >> 8) ^ table[0][table[k - 1][i] & 0xFF];

  uint32_t power = 0x80000000u;            // x^0
  const uint32_t byte = 0x00800000u;       // x^8
  for (int i = 0; i < lane; i++) power = multiply(power, byte);
  for (int k = 0; k < 4; k++)
    for (uint32_t i = 0; i < 256; i++) shift_lane[k][i] = multiply(i << (8 * k), power);
}

static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

uint32_t fl_crc32c_by_table(uint32_t crc, const void *bytes, size_t count) {
  pthread_once(&tables_once, make_tables);
  const uint8_t *p = bytes;
  crc = ~crc;
  for (; count >= 8; count -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    word ^= crc;
    crc = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF] ^
          table[4][(word >> 24) & 0xFF] ^ table[3][(word >> 32) & 0xFF] ^
          table[2][(word >> 40) & 0xFF] ^ table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
  }
  for (; count > 0; count--, p++) crc = (crc >> 8) ^ table[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

static uint32_t over_lane(uint32_t crc) {
  return shift_lane[0][crc & 0xFF] ^ shift_lane[1][(crc >> 8) & 0xFF] ^
         shift_lane[2][(crc >> 16) & 0xFF] ^ shift_lane[3][crc >> 24];
}

__attribute__((target("sse4.2"))) static uint32_t by_instruction(
    uint32_t crc, const uint8_t *p, size_t count) {
  uint64_t first = ~crc;
  while (count >= 3 * lane) {
    uint64_t second = 0, third = 0;
    for (size_t i = 0; i < lane; i += 8) {
      uint64_t a, b, c;
      memcpy(&a, p + i, 8);
      memcpy(&b, p + lane + i, 8);
      memcpy(&c, p + 2 * lane + i, 8);
      first = _mm_crc32_u64(first, a);
      second = _mm_crc32_u64(second, b);
      third = _mm_crc32_u64(third, c);
    }
    first = over_lane((uint32_t)first) ^ second;
    first = over_lane((uint32_t)first) ^ third;
    p += 3 * lane;
    count -= 3 * lane;
  }
  for (; count >= 8; count -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    first = _mm_crc32_u64(first, word);
  }
  uint32_t rest = (uint32_t)first;
  for (; count > 0; count--, p++) rest = _mm_crc32_u8(rest, *p);
  return ~rest;
}

uint32_t fl_crc32c(uint32_t crc, const void *bytes, size_t count) {
  pthread_once(&tables_once, make_tables);
  if (__builtin_cpu_supports("sse4.2")) return by_instruction(crc, bytes, count);
  return fl_crc32c_by_table(crc, bytes, count);
}

#else

uint32_t fl_crc32c(uint32_t crc, const void *bytes, size_t count) {
  return fl_crc32c_by_table(crc, bytes, count);
}

#endif
