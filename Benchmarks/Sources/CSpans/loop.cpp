#include "CSpans.h"

#include <flamelark.h>

extern "C" void outside_call(void);

void cxx_loop(int64_t count) {
  for (int64_t i = 0; i < count / 2; i++) {
    {
      FLAMELARK_SPAN("work");
      outside_call();
    }
    FLAMELARK_SPAN("work");
    outside_call();
  }
}
