/// JankStats of Android's androidx.metrics: a frame is jank if it took longer than a multiple of
/// what it was expected to take.
///
/// Source: the sources of `androidx.metrics:metrics-performance`,
/// `JankStats.jankHeuristicMultiplier` and its implementations for API 16 and 31.
public struct JankStatsRule: Sendable {
  /// How many times the expected duration a frame may take, 2 if nobody says.
  public var multiplier: Double

  /// The rule. What is not a number calls no frame jank.
  public init(multiplier: Double = 2) { self.multiplier = multiplier }

  /// Judges frames. O(frames).
  public func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var jank = FrameRule.Class("isJank")
    var judged = 0
    var lastTimestamp: Int64?
    for frame in frames.frameDurations() {
      // What the system tells twice has the same start.
      guard frame.timestamp != lastTimestamp else { continue }
      lastTimestamp = frame.timestamp
      judged += 1
      if frame.duration > limit(expected: frame.expected) { jank.frames.append(frame.number) }
    }
    return FrameRule.Outcome(
      rule: .jankStats, time: .work, judged: judged, classes: [jank],
      figures: [.percent("isJank", jank.count, of: judged)])
  }

  /// The whole nanoseconds of the product, as the library has them.
  private func limit(expected: Int64) -> Int64 {
    let product = Double(expected) * multiplier
    // Beyond the range, and where it is no number, it is an end of the range.
    return Int64(exactly: product.rounded(.towardZero)) ?? (product < 0 ? .min : .max)
  }
}
