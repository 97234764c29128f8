extension Trace {
  /// A time in which a thread had no processor.
  ///
  /// States of one row don't overlap. Between them it ran.
  public struct ThreadState: Sendable, Equatable {
    /// Why it had none.
    public enum Kind: String, Sendable, CaseIterable {
      /// It waited for something.
      case blocked
      /// It was ready to run, and another had the processor.
      case preempted
    }

    /// The row: an index into ``Trace/tracks``.
    public var track: Int
    /// Why it had none.
    public var kind: Kind
    /// From when it ceased to run until it ran again.
    public var range: Range<Int64>
    /// The thread that woke it: an index into ``Trace/tracks``, nil: not known.
    public var wokenBy: Int?
    /// When that was. nil: not known. From then on it was ready to run.
    public var wokenAt: Int64?

    /// Creates a state of which nobody knows who ended it.
    public init(track: Int, kind: Kind, range: Range<Int64>) {
      self.track = track
      self.kind = kind
      self.range = range
    }
  }
}
