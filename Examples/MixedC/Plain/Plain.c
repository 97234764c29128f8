#include "Plain.h"

#include <flamelark.h>

static void insert(uint32_t *numbers, size_t place) {
  FLAMELARK_SPAN("insert");
  for (; place > 0 && numbers[place - 1] > numbers[place]; place--) {
    uint32_t greater = numbers[place - 1];
    numbers[place - 1] = numbers[place];
    numbers[place] = greater;
  }
}

void plain_sort(uint32_t *numbers, size_t count) {
  flamelark_span sorting = flamelark_begin_in("sort", "C");
  for (size_t place = 1; place < count; place++) insert(numbers, place);
  flamelark_end(sorting);
  flamelark_counter("sorted", (int64_t)count);
}
