#include "Plus.h"

#include <flamelark.h>

#include <ctime>
#include <numeric>
#include <thread>
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
  flamelark_value("pixels", pixels);
  return std::accumulate(shades.begin(), shades.end(), uint64_t{0});
}

void plus_simulate(uint32_t steps) {
  // A loop of its own, driven by a display of 1,000 refreshes a second that shows every frame.
  flamelark_frames *const frames = flamelark_frames_create("simulation", 1000);
  constexpr int64_t period = 1'000'000;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t refresh = int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  for (uint32_t step = 0; step < steps; step++, refresh += period) {
    const flamelark_frame frame = flamelark_frame_begin(frames, refresh, refresh + period);
    const flamelark_link link = flamelark_link_begin("to the worker");
    std::thread([=] {
      FLAMELARK_SPAN("simulate");
      flamelark_link_end(link);
    }).join();
    flamelark_frame_end(frames, frame);
    // The tenth comes two refreshes late, in the words of the display.
    flamelark_frame_presented(frames, frame, refresh + period * (step == 10 ? 3 : 1));
  }
  flamelark_frames_pause(frames);
}
