/// A piece of what a frame spent its time on, one after the other without gap or overlap.
///
/// The steps of a hitch go from the beginning of its window to its end and add up to it. Where the
/// frame waited, they go on at what it waited for.
public struct CriticalStep: Sendable, Equatable {
  /// From when to when.
  public let range: Range<Int64>
  /// The row that had the time: an index into `Trace.tracks`.
  public let track: Int
  /// What the time was. `other`: the loop waited for its next frame.
  public let kind: Cause.Kind
  /// The names from the root to the innermost span, recursion cut out.
  public let path: [String]
  /// How many waits lead from the frame's last row to this one.
  public let hops: Int
  /// By what the row was waited for; nil where ``hops`` is 0.
  public let link: CriticalLink?
  /// The earlier frame whose work it was, nil: this one's, or of none.
  public let earlierFrame: Int?
}
