/// One cause of late frames: where the time above normal went, and how much lateness it bears.
public struct Cause: Sendable, Equatable {
  /// What a cause is.
  public enum Kind: String, Sendable {
    /// A span and what it calls.
    case span
    /// Calls of a name that a filter left out of the trace, summed up where they ran.
    case folded
    /// Time of the loop's thread outside of any span.
    case uninstrumented
    /// Lateness that no part of the frame stands out enough to bear.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// The names from the root to the span, recursion cut out.
  ///
  /// Empty for `other` and for time outside of every span.
  public let path: [String]
  /// The source file of the call site with most of its late time, nil if not known.
  public let file: String?
  /// The line in ``file``, 0 if not known.
  public let line: UInt32
  /// The lateness that it bears, in nanoseconds.
  public let blame: Int64
  /// Its part of the lateness of the hitch, or of all hitches of the series: 0…1.
  public let share: Double
  /// In how many hitches it bears lateness.
  public let hitchCount: Int
  /// In how many hitches it bears most.
  public let topCount: Int
  /// What it takes in a good frame, with what it calls: mean nanoseconds.
  ///
  /// Like the three after it, taken over the hitches in which it bears lateness; 0 for `other`.
  public let normalTime: Int64
  /// What it took in a late frame, with what it calls: mean nanoseconds.
  public let lateTime: Int64
  /// How often it begins in a good frame, on average.
  public let normalCalls: Double
  /// How often it began in a late frame, on average.
  public let lateCalls: Double
}
