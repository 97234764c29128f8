#include "CSpans.h"

#include <flamelark.h>

#include "CLimit.h"

static inline void work(void) {
  FLAMELARK_SPAN("work");
  outside_call();
}

void c_loop(int64_t count) {
  for (int64_t i = 0; i < count / 2; i++) {
    work();
    FLAMELARK_SPAN("work");
    outside_call();
  }
}
