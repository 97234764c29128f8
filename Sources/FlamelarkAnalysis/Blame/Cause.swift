/// One cause of late frames: where the time above normal went, and how much lateness it bears.
///
/// Kind, thread and path name a cause: the same three are the same cause in every hitch of a series.
public struct Cause: Sendable, Equatable {
  /// What a cause is.
  public enum Kind: String, Sendable, CaseIterable {
    /// A span and what it calls.
    case span
    /// Calls of a name that a filter left out of the trace, summed up where they ran.
    case folded
    /// Time of a thread outside of any span.
    case uninstrumented
    /// A thread was ready to run and had no processor.
    case preempted
    /// A thread waited, and the trace doesn't know for whom.
    case blocked
    /// Work that had been asked for and had not begun.
    case queued
    /// Earlier frames still ran, and none of them did more than normal: too little slack.
    case backlog
    /// Lateness that no part of the frame stands out enough to bear.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// What the thread is for that spent the time: its name without a number, see
  /// `Trace.Track.role`. nil: the loop's own thread, and for `backlog` and `other`.
  public let thread: String?
  /// The names from the root to the span, recursion cut out.
  ///
  /// Empty for `other`, `backlog` and for time outside of every span.
  public let path: [String]
  /// By what the frame came to wait for the thread, mostly. nil: it did not wait for it.
  public let link: CriticalLink?
  /// Where most of the time of `uninstrumented` lay. nil for other kinds.
  public let gap: Gap?
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
  /// How sure its blame and its place are. Only of the causes of a series, and from five hitches on.
  public let confidence: Confidence?
  /// The hitch ratio if it had always cost what it normally does, in ms/s, by replay. Only of the
  /// greatest causes of a series.
  public let ratioIfNormal: Double?

  /// Between which spans time went that none of them names.
  public struct Gap: Sendable, Equatable {
    /// The span that ended before it, nil: the beginning of the span around it, or of the frame.
    public let after: String?
    /// The span that began behind it, nil: the end.
    public let before: String?
  }

  /// How sure a figure is, by resampling the hitches and the good frames.
  public struct Confidence: Sendable, Equatable {
    /// Nine of ten resamples have its blame in here, in nanoseconds.
    public let blame: ClosedRange<Int64>
    /// The part of the resamples in which it comes first: 0…1.
    public let first: Double
  }
}
