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
