/// Slow and frozen frames of Sentry's SDK for Apple's systems, and their delay.
///
/// At each callback of the display link the rate is the whole number nearest to 1 / (T − ts). The
/// time since the callback before is slow above 1 / (rate − 1), and frozen instead above 0.7 s.
/// What it is above 1 / (rate − 1) is delay. A pause makes the next callback a first one.
///
/// Source: `SentryFramesTracker` and `SentryDelayedFramesTracker` of sentry-cocoa; "Mobile Vitals"
/// of Sentry's documentation for the rates.
struct SentryRule: Sendable {
  /// Above it a frame is frozen.
  var frozenThreshold: Int64 = 700_000_000

  func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var slow = FrameRule.Class("slow")
    var frozen = FrameRule.Class("frozen")
    var delay: Int64 = 0
    let times = frames.frameTimes()
    for frame in times {
      let slowThreshold = Self.slowThreshold(interval: frame.intervalAtEnd)
      if frame.elapsed > frozenThreshold {
        frozen.frames.append(frame.number)
      } else if frame.elapsed > slowThreshold {
        slow.frames.append(frame.number)
      } else {
        continue
      }
      delay = delay.plus(max(0, frame.elapsed.minus(slowThreshold)))
    }
    return FrameRule.Outcome(
      rule: .sentry, time: .frameToFrame, judged: times.count, classes: [slow, frozen],
      figures: [
        .percent("frames_slow_rate", slow.count, of: times.count),
        .percent("frames_frozen_rate", frozen.count, of: times.count),
        .init(name: "frames_delay", value: Double(delay) / 1e9, unit: .seconds),
      ])
  }

  /// The greatest whole number of nanoseconds that is not slow. At a rate of 1 Hz and below there
  /// is none.
  static func slowThreshold(interval: Int64) -> Int64 {
    guard interval > 0 else { return second / 59 }
    // The nearest whole number, halves up.
    let (quotient, remainder) = second.quotientAndRemainder(dividingBy: interval)
    let rate = quotient + (remainder >= interval - remainder ? 1 : 0)
    return rate > 1 ? second / (rate - 1) : .max
  }

  private static let second: Int64 = 1_000_000_000
}
