internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Reading several clocks at one moment.
enum TickClock {
  /// The tick and CLOCK_MONOTONIC of one moment, to some 30 ns: the best of a few tries, since the
  /// thread may be interrupted between two readings.
  static func anchor() -> ClockAnchor {
    var best = ClockAnchor(tick: 0, monotonic: 0)
    var narrowest = UInt64.max
    for _ in 0..<3 {
      let before = fl_tick()
      let monotonic = fl_monotonic()
      let after = fl_tick()
      if after &- before < narrowest {
        narrowest = after &- before
        best = ClockAnchor(tick: before &+ (after &- before) / 2, monotonic: monotonic)
      }
    }
    return best
  }

  /// The same with CLOCK_REALTIME.
  static func anchorWithRealtime() -> ClockAnchor {
    var anchor = anchor()
    let before = fl_monotonic()
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let realtime = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    // Carried back to the moment of the tick.
    anchor.realtime = realtime - (before - anchor.monotonic)
    return anchor
  }

  /// Ticks a second, from `start` and an anchor at least a millisecond later: good to 0.01 %.
  ///
  /// Only the least duration depends on it; a reader has better anchors.
  static func ticksPerSecond(since start: ClockAnchor) -> UInt64 {
    var now = anchor()
    while now.monotonic - start.monotonic < 1_000_000 {
      usleep(1000)
      now = anchor()
    }
    let elapsed = UInt64(now.monotonic - start.monotonic)
    let product = (now.tick &- start.tick).multipliedFullWidth(by: 1_000_000_000)
    return elapsed.dividingFullWidth(product).quotient
  }
}
