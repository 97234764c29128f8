internal import FlamelarkFormat
public import FlamelarkTrace

/// The frames of a series with their lateness.
///
/// * A frame is late if it ended after its target by more than the tolerance of the format:
///   max(0.25 ms, 3 % of its interval). Then the whole lateness counts.
/// * Where it is known when frames were shown, a frame is late if it was shown behind max(T*, A + P*):
///   A is when the one before it was shown, T* and P* are target and interval of the first frame asked
///   for since. A dropped frame so is the lateness of the next one that is shown.
/// * ``hitchTime`` is never more than ``activeTime``: a frame's target is after its beginning.
/// * Rest is neither: see ``Frame/isIdle``.
public struct JudgedFrames: Sendable {
  /// One pass of the loop.
  public struct Frame: Sendable, Equatable {
    /// Counted from 0 in its series.
    public let number: Int
    /// When its time was spent.
    public let window: Range<Int64>
    /// When it was due; of a frame that was shown behind another, when it should have been shown.
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
    /// What it adds to the active time of its series, in nanoseconds.
    public let activeTime: Int64
    /// What it adds to the time of rest, in nanoseconds.
    public let idleTime: Int64
    /// What became of it, where it is known when frames were shown.
    public var display: Display?
    /// What its window might have taken: up to its target.
    public var budget: Int64
    /// How long a frame is shown, in nanoseconds: ``interval``, or less where targets lie further ahead.
    public var slot: Int64
    /// How many frames before it the one is whose place it took: 0 if none was dropped.
    public var placesBack = 0
    /// By how much it would have been shown behind its target anyway, because the one before it was;
    /// in nanoseconds. That is part of no lateness of its own.
    public var inherited: Int64 = 0
  }

  /// What became of a frame on its way to the display.
  public enum Display: Sendable, Equatable {
    /// It was shown. `behindTarget` is by how much it came after its own target without being late, 0
    /// within the tolerance: it was as late as the one before it. That is latency, no hitch.
    case shown(behindTarget: Int64)
    /// It was asked for and not shown.
    case dropped
    /// Nobody said. It counts for nothing, and for others as if it had been shown in time.
    case untold
  }

  /// Frames that were shown behind their targets, but no later than those before them.
  public struct Latency: Sendable, Equatable {
    /// How many frames.
    public let frames: Int
    /// How much later than their targets on average, in nanoseconds; 0 if there are none.
    public let mean: Int64
  }

  /// The series.
  public let series: Trace.FrameSeries
  /// Its frames in the order of their numbers; after ``within(_:)`` a part of them.
  public let frames: [Frame]
  /// The time in which frames were asked for, in nanoseconds.
  public let activeTime: Int64
  /// The sum of all lateness, in nanoseconds.
  public let hitchTime: Int64
  /// The time of rest, in nanoseconds.
  public let idleTime: Int64
  /// How often the rate changed from one frame to the next.
  public let rateChanges: Int
  /// How many targets were not given, but made from other intervals.
  public let estimatedTargets: Int
  /// The numbers of the frames that were asked for and not shown.
  public let dropped: [Int]
  /// How many frames nobody told of: whether they were shown, in a series where that is told.
  public let untold: Int
  /// The frames that were shown behind their targets without being late.
  public let latency: Latency
  /// The groups of the intervals.
  let buckets: RateBuckets

  /// The distinct intervals of the frames, each standing for those within 6 %, ascending.
  public var rates: [Int64] { buckets.intervals }

  /// Milliseconds of lateness in a second of active time: 0…1000.
  public var hitchRatio: Double {
    activeTime > 0 ? Double(hitchTime) / Double(activeTime) * 1000 : 0
  }

  /// Judges the frames of a series. O(frames · log frames).
  ///
  /// `refresh` is the interval that a frame may take, in nanoseconds. It stands over the series'
  /// own and over what was estimated, but not over a target that a display link gave.
  public init(of series: Trace.FrameSeries, in trace: Trace, refresh: Int64? = nil) {
    var judge = FrameJudge(series: series, in: trace, refresh: refresh)
    self.init(series: series, frames: Self.bounded(judge.judgeAll()))
  }

  /// The frames without those whose times add up to more than is plausible, which files may say: no sum
  /// over a series overflows.
  private static func bounded(_ frames: [Frame]) -> [Frame] {
    let most = Lateness.plausibleTimes.upperBound
    var activeTime: Int64 = 0
    return frames.map { frame in
      let sum = activeTime.plus(frame.activeTime)
      if sum <= most, frame.window.duration <= most {
        activeTime = sum
        return frame
      }
      return Frame(
        number: frame.number, window: frame.window.lowerBound..<frame.window.lowerBound,
        target: frame.target, interval: frame.interval, lateness: 0,
        targetIsEstimated: frame.targetIsEstimated, isIdle: false, isCountable: false,
        activeTime: 0, idleTime: 0, display: frame.display, budget: frame.interval,
        slot: frame.slot)
    }
  }

  /// The frames whose window begins in one of some ranges. Their numbers stay.
  public func within(_ ranges: [Range<Int64>]) -> JudgedFrames {
    let ranges = ranges.apart
    return JudgedFrames(
      series: series,
      frames: frames.filter { ranges.index(holding: $0.window.lowerBound) != nil })
  }

  private init(series: Trace.FrameSeries, frames: [Frame]) {
    var activeTime: Int64 = 0
    var hitchTime: Int64 = 0
    var idleTime: Int64 = 0
    var rateChanges = 0
    var estimatedTargets = 0
    let buckets = RateBuckets(frames.lazy.filter(\.isActive).map(\.interval))
    var lastBucket: Int?
    var dropped: [Int] = []
    var untold = 0
    var latency: (frames: Int, time: Int64) = (0, 0)
    for frame in frames {
      activeTime = activeTime.plus(frame.activeTime)
      hitchTime = hitchTime.plus(frame.lateness)
      idleTime = idleTime.plus(frame.idleTime)
      switch frame.display {
      case .dropped: dropped.append(frame.number)
      case .untold: untold += 1
      case .shown(let behindTarget) where behindTarget > 0:
        latency = (latency.frames + 1, latency.time.plus(behindTarget))
      case .shown, nil: break
      }
      guard frame.isActive else { continue }
      if frame.targetIsEstimated { estimatedTargets += 1 }
      let bucket = buckets.bucket(of: frame.interval)
      if let lastBucket, lastBucket != bucket { rateChanges += 1 }
      lastBucket = bucket
    }
    self.series = series
    self.frames = frames
    self.activeTime = activeTime
    self.hitchTime = hitchTime
    self.idleTime = idleTime
    self.rateChanges = rateChanges
    self.estimatedTargets = estimatedTargets
    self.dropped = dropped
    self.untold = untold
    self.latency = Latency(
      frames: latency.frames, mean: latency.time / Int64(max(1, latency.frames)))
    self.buckets = buckets
  }
}

extension JudgedFrames.Frame {
  /// Whether it can be late.
  var isActive: Bool { isCountable && !isIdle }

  /// Whether it was shown behind its target, without being later than the one before it.
  var isBehindTarget: Bool {
    if case .shown(let behind) = display { return behind > 0 }
    return false
  }
}
