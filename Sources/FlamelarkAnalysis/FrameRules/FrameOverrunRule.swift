/// Android's frame overrun, as Macrobenchmark reports it: by how much a frame was ready after its
/// deadline. Negative is how much time was left.
///
/// Source: `FrameTimingMetric` in Android's reference, and the sources of `androidx.benchmark`,
/// whose percentiles go straight from one frame's value to the next one's (`MetricResult`).
struct FrameOverrunRule: Sendable {
  static let percentiles = [50, 90, 95, 99]

  func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var late = FrameRule.Class("overrun")
    let durations = frames.frameDurations()
    var overruns: [Int64] = []
    overruns.reserveCapacity(durations.count)
    for frame in durations {
      let overrun = frame.duration.minus(frame.expected)
      overruns.append(overrun)
      if overrun > 0 { late.frames.append(frame.number) }
    }
    overruns.sort()
    return FrameRule.Outcome(
      rule: .frameOverrun, time: .work, judged: durations.count, classes: [late],
      figures: Self.percentiles.map { percent in
        .milliseconds("frameOverrunMs P\(percent)", Self.percentile(percent, of: overruns))
      } + [.percent("overrun", late.count, of: durations.count)])
  }

  /// The value at a part of the way from the least to the greatest, counted in values.
  static func percentile(_ percent: Int, of sorted: [Int64]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let (hundreds, rest) = (sorted.count - 1).quotientAndRemainder(dividingBy: 100)
    let place = rest * percent
    let index = hundreds * percent + place / 100
    let part = Double(place % 100) / 100
    let next = sorted[min(index + 1, sorted.count - 1)]
    return Double(sorted[index]) * (1 - part) + Double(next) * part
  }
}
