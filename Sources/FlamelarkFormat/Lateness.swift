/// The one rule of when a frame is late, shared by the recorder that marks hitches and the
/// analysis that finds them. Times are nanoseconds of one clock.
package enum Lateness {
  /// Lateness up to this is none: clocks and timers are not better.
  ///
  /// ε = max(0.25 ms, 3 % of the interval). Above it the whole lateness counts.
  package static func tolerance(interval: Int64) -> Int64 {
    max(250_000, interval / 100 * 3 + interval % 100 * 3 / 100)
  }

  /// How late a frame is: its end against its target, 0 within the tolerance.
  package static func lateness(end: Int64, target: Int64, interval: Int64) -> Int64 {
    let (late, overflow) = end.subtractingReportingOverflow(target)
    guard !overflow, late > tolerance(interval: interval) else { return 0 }
    return late
  }

  /// What a display link may give a frame; outside of it the target counts as missing.
  package static let plausibleInterval: ClosedRange<Int64> = 1_000_000...1_000_000_000

  /// Times within 73 years of a trace's beginning. A program hands in what it likes, and a file says what it
  /// likes: what is further apart can't be, and of these no sum of three overflows.
  package static let plausibleTimes: ClosedRange<Int64> = -(1 << 61)...(1 << 61)

  /// The interval used where nothing else is known: 60 Hz.
  package static let fallbackInterval: Int64 = 16_666_667

  /// A frame's target and interval, made from what is known where it was not given.
  ///
  /// A target at or before its timestamp, or outside ``plausibleInterval``, counts as missing and
  /// becomes timestamp + previous interval of the series, else `usual`, else 1/60 s.
  package static func resolve(
    timestamp: Int64, target: Int64?, previousInterval: Int64?, usual: Int64?
  ) -> (target: Int64, interval: Int64, isEstimated: Bool) {
    if let target {
      let (interval, overflow) = target.subtractingReportingOverflow(timestamp)
      if !overflow, plausibleInterval.contains(interval) { return (target, interval, false) }
    }
    let interval = previousInterval ?? usual ?? fallbackInterval
    let (made, overflow) = timestamp.addingReportingOverflow(interval)
    return (overflow ? .max : made, interval, true)
  }

  /// Up to when a frame is active behind which no other was wanted: it is late by its own end, but a
  /// display link gives a frame its whole interval.
  package static func activeEnd(end: Int64, target: Int64, isMarked: Bool) -> Int64 {
    isMarked ? end : max(target, end)
  }

  /// Whether the program rested between two frames, because none was asked for.
  ///
  /// A guess, for programs that don't say it: more than ten intervals from one frame to the next,
  /// of which the loop waited more than 80 %. `waiting` is looked at only then.
  package static func isIdle(
    elapsed: Int64, waiting: @autoclosure () -> Int64, interval: Int64
  ) -> Bool {
    let (limit, overflow) = interval.multipliedReportingOverflow(by: 10)
    return !overflow && elapsed > limit && waiting() / 4 > elapsed / 5
  }
}
