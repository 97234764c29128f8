extension Trace {
  /// Spans that a filter left out, summed up: those of one call site in one recorded span and, where
  /// frames were marked, one frame. Times are nanoseconds.
  public struct FoldedSpans: Sendable, Equatable {
    /// Why they were left out.
    public enum Reason: String, Sendable {
      /// They were shorter than the least duration.
      case belowMinimum = "below-minimum"
      /// They were over the greatest depth: their call sites and times are not known, and their time
      /// is self time of the span around them.
      case overDepth = "over-depth"
    }

    /// Why they were left out.
    public var reason: Reason
    /// The row on which they ran.
    public var track: Int
    /// The recorded span around them, ``Spans/none`` at the top.
    public var parent: UInt32
    /// Where in the source.
    public var site: CallSiteID
    /// From the beginning of the first to when the sum was written: at or after the end of the last,
    /// and not after that of the span around them.
    public var range: Range<Int64>
    /// How many.
    public var count: Int
    /// The sum of their durations.
    public var total: Int64
    /// That part of it in which no other of the left-out spans ran inside them.
    public var selfTime: Int64
    /// The duration of the longest.
    public var longest: Int64

    /// Creates a sum.
    public init(
      reason: Reason, track: Int, parent: UInt32, site: CallSiteID, range: Range<Int64>, count: Int,
      total: Int64,
      selfTime: Int64, longest: Int64
    ) {
      self.reason = reason
      self.track = track
      self.parent = parent
      self.site = site
      self.range = range
      self.count = count
      self.total = total
      self.selfTime = selfTime
      self.longest = longest
    }
  }
}
