internal import FlamelarkTrace

/// How a display shows frames that are ready, or asks for the next one.
struct DisplayDelay {
  /// The least time from when a frame was ready until it was shown, in nanoseconds.
  private(set) var least = 0.0
  /// It changes at certain times only: a frame that is ready a little later is shown as soon, or a whole
  /// interval later. Then nearly every hitch is a number of whole intervals.
  private(set) var isInSteps = false

  /// A lateness is whole intervals if it is so near to them, as a part of one.
  private static let nearness = 0.1
  private static let nearlyEvery = 0.8

  /// O(frames).
  init(of judged: JudgedFrames) {
    guard judged.series.isPipeline || judged.series.mode == .displayLink else { return }
    var least = Int64.max
    var (hitches, whole) = (0, 0)
    for (index, frame) in judged.frames.enumerated() where frame.isActive {
      if let shown = judged.series.frames[index].presented, frame.placesBack == 0 {
        least = min(least, shown.minus(frame.window.upperBound))
      }
      guard frame.lateness > 0, frame.slot > 0 else { continue }
      hitches += 1
      let intervals = Double(frame.lateness) / Double(frame.slot)
      if intervals.rounded() >= 1, abs(intervals - intervals.rounded()) <= Self.nearness {
        whole += 1
      }
    }
    if least < .max { self.least = Double(max(0, least)) }
    isInSteps = hitches > 0 && Double(whole) >= Self.nearlyEvery * Double(hitches)
  }
}
