public import FlamelarkTrace

/// A late frame and what made it late.
public struct Hitch: Sendable {
  /// The frame; its number counts from 0.
  public let frame: Trace.Frame
  /// When its time was spent.
  public let window: Range<Int64>
  /// What it might have taken, in nanoseconds.
  public let budget: Int64
  /// By how much it was late, in nanoseconds.
  public let lateness: Int64
  /// What made it late: all of it, largest first. Their blame adds up to ``lateness`` exactly.
  public let causes: [Cause]
}

extension Hitch {
  init(frame: Trace.Frame, judged: JudgedFrames.Frame, causes: [Cause]) {
    self.frame = frame
    window = judged.window
    budget = judged.interval
    lateness = judged.lateness
    self.causes = causes
    // Law 2, where it is shown: the lines add up.
    precondition(
      causes.reduce(0) { $0 + $1.blame } == lateness,
      "the causes of frame \(frame.number) don't add up to its lateness")
  }
}
