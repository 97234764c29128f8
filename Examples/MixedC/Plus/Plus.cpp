#include "Plus.h"

#include <flamelark.h>

#include <numeric>
#include <vector>

namespace {

std::vector<uint64_t> shade(uint32_t pixels) {
  flamelark::Span span("shade", "C++");
  std::vector<uint64_t> result(pixels);
  for (uint32_t pixel = 0; pixel < pixels; pixel++) result[pixel] = pixel * 2654435761u;
  return result;
}

}  // namespace

uint64_t plus_render(uint32_t pixels) {
  FLAMELARK_SPAN("render");
  const auto shades = shade(pixels);
  flamelark_marker("shaded");
  return std::accumulate(shades.begin(), shades.end(), uint64_t{0});
}
