internal import FlamelarkTrace

/// How long it takes from when a frame is ready until it is shown, of frames in time.
struct DisplayDelay {
  /// The least, in nanoseconds.
  private(set) var least = 0.0
  /// The display changes at certain times only: a frame that is ready a little later may be shown as
  /// soon, or a whole interval later.
  private(set) var isInSteps = false

  /// Delays further apart than this part of an interval come from a display that changes in steps.
  private static let spread = 0.25

  /// O(frames).
  init(of judged: JudgedFrames) {
    guard judged.series.isPipeline else { return }
    var (least, most) = (Int64.max, Int64.min)
    var interval = Int64.max
    for (index, frame) in judged.frames.enumerated()
    where frame.isActive && frame.lateness == 0 && frame.placesBack == 0 {
      guard let shown = judged.series.frames[index].presented else { continue }
      let delay = shown.minus(frame.window.upperBound)
      (least, most) = (min(least, delay), max(most, delay))
      interval = min(interval, frame.interval)
    }
    guard least <= most else { return }
    self.least = Double(max(0, least))
    isInSteps = Double(most.minus(least)) > Self.spread * Double(interval)
  }
}
