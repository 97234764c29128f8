public import FlamelarkTrace

/// The frames of a series with their lateness.
///
/// * A frame is late if it ended after its target by more than the tolerance of the format:
///   max(0.25 ms, 3 % of its interval). Then the whole lateness counts.
/// * ``hitchTime`` is never more than ``activeTime``: a frame's target is after its beginning.
/// * Rest is neither: see ``Frame/isIdle``.
public struct JudgedFrames: Sendable {
  /// One pass of the loop.
  public struct Frame: Sendable, Equatable {
    /// Counted from 0 in its series.
    public let number: Int
    /// When its time was spent.
    public let window: Range<Int64>
    /// When it was due.
    public let target: Int64
    /// What it might take: target − timestamp.
    public let interval: Int64
    /// By how much it was late, 0 within the tolerance and where no lateness is defined.
    public let lateness: Int64
    /// Its target was not given, but made from other intervals.
    public let targetIsEstimated: Bool
    /// The loop rested, because no frame was asked for: neither active nor late.
    public let isIdle: Bool
    /// It has an end: not cut off by a break or by the end of the recording.
    public let isCountable: Bool
  }

  /// The series.
  public let series: Trace.FrameSeries
  /// Its frames, by number. See ``within(_:)`` for why a number may not be an index.
  public let frames: [Frame]
  /// The time in which frames were asked for, in nanoseconds.
  public let activeTime: Int64
  /// The sum of all lateness, in nanoseconds.
  public let hitchTime: Int64
  /// The time of rest, in nanoseconds.
  public let idleTime: Int64
  /// The distinct intervals of the frames, each standing for those within 6 %, ascending.
  public let rates: [Int64]
  /// How often the rate changed from one frame to the next.
  public let rateChanges: Int
  /// How many targets were not given, but made from other intervals.
  public let estimatedTargets: Int

  /// Milliseconds of lateness in a second of active time: 0…1000.
  public var hitchRatio: Double {
    activeTime > 0 ? Double(hitchTime) / Double(activeTime) * 1000 : 0
  }

  /// Judges the frames of a series. O(frames · log frames).
  ///
  /// `refresh` is the interval that a frame may take, in nanoseconds. It stands over the series'
  /// own and over what was estimated, but not over a target that a display link gave.
  public init(of series: Trace.FrameSeries, in trace: Trace, refresh: Int64? = nil) {
    self.series = series
    frames = []
    activeTime = 0
    hitchTime = 0
    idleTime = 0
    rates = []
    rateChanges = 0
    estimatedTargets = 0
  }
}
