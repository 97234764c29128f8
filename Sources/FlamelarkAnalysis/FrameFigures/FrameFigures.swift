internal import FlamelarkFormat
public import FlamelarkTrace

/// What the frames of a series were like, in figures. `Documentation/Frames.md` works each by hand.
public struct FrameFigures: Sendable {
  /// The name of the series.
  public let name: String
  /// How its frames were told.
  public let mode: Trace.FrameSeries.Mode
  /// How many frames it speaks of.
  public let frameCount: Int
  /// Those of which no lateness can be told: cut off, or the first ones shown of a segment.
  public let cutFrames: Int
  /// Lateness and active time.
  public let part: RatioSpread.Part
  /// The time of rest, in nanoseconds.
  public let idleTime: Int64
  /// How many targets were not given, but made from other intervals.
  public let estimatedTargets: Int
  /// How bad the hitches are.
  public let hitches: HitchSeverity
  /// Frames that stood for 0.7 s and more.
  public let frozen: FrozenFrames
  /// The frame times, in the order of their numbers.
  public let times: [FrameTime]
  /// Frames per second.
  public let rate: FrameRate
  /// The same as `--compat fpsmonitor` tells it.
  public let fpsMonitor: FPSMonitorRule
  /// The 1 % and the 0.1 % low; none without frames.
  public let lows: [FrameLow]
  /// The refresh rate over time.
  public let refresh: RefreshRates
  /// How many intervals went by in which no frame came: Σ max(0, round(D / P) − 1).
  public let missedRefreshes: Int
  /// The numbers of the frames that were asked for and not shown; nil where that isn't known.
  public let dropped: [Int]?
  /// How many frames nobody told of, in a series where that is told; nil in another.
  public let untold: Int?
  /// Frames in time with hardly any time left, nil where it isn't known when frames were ready.
  public let nearMisses: NearMisses?
  /// Judder without a late frame.
  public let pacing: PacingErrors
  /// Frames behind their targets without being late; nil where it isn't known when frames were shown.
  public let latency: LatencyRuns?
  /// Of the activities, by name.
  public let activities: [ActivityFigures]
  /// What a rule of others says of them, if one was asked for.
  public let byRule: FrameRule.Outcome?

  /// Milliseconds of lateness in a second of active time: that of ``JudgedFrames/hitchRatio``.
  public var hitchRatio: Double { part.hitchRatio }

  /// More than a fifth of the targets had to be made up: the ratio is about right at best.
  public var isApproximate: Bool { estimatedTargets * 5 > frameCount }

  /// Looks at the frames of a series that begin in some ranges; nil: at all of them.
  ///
  /// `refresh` is as in ``JudgedFrames/init(of:in:refresh:)``. `rule` is one of others to judge them by too. O((frames + activities) · log).
  public init(
    of series: Trace.FrameSeries, in trace: Trace, refresh interval: Int64? = nil,
    ranges: [Range<Int64>]? = nil, rule: FrameRule? = nil
  ) {
    var judged = JudgedFrames(of: series, in: trace, refresh: interval)
    if let ranges { judged = judged.within(ranges) }
    self.init(judged, in: trace, rule: rule)
  }

  init(_ judged: JudgedFrames, in trace: Trace, rule: FrameRule? = nil) {
    let times = judged.times
    let isPresented = judged.series.mode == .presented
    name = judged.series.name
    mode = judged.series.mode
    frameCount = judged.frames.count
    cutFrames = judged.frames.count {
      !$0.isCountable && $0.display != .dropped && $0.display != .untold
    }
    part = RatioSpread.Part(hitchTime: judged.hitchTime, activeTime: judged.activeTime)
    idleTime = judged.idleTime
    estimatedTargets = judged.estimatedTargets
    hitches = HitchSeverity(times)
    frozen = FrozenFrames(times, hitchTime: judged.hitchTime, activeTime: judged.activeTime)
    self.times = times
    rate = FrameRate(times)
    fpsMonitor = FPSMonitorRule(
      judged.frames.lazy.compactMap { frame in
        let number = frame.number
        guard judged.series.frames.indices.contains(number) else { return nil }
        let time = judged.series.frames[number].timestamp
        return Lateness.plausibleTimes.contains(time) ? time : nil
      })
    lows = FrameLow.lows(of: times)
    refresh = RefreshRates(judged)
    missedRefreshes = times.reduce(0) { sum, frame in
      // round(D / P), halves up.
      let (whole, rest) = frame.duration.quotientAndRemainder(dividingBy: frame.interval)
      let intervals = whole.plus(rest >= frame.interval - rest ? 1 : 0)
      return sum &+ Int(max(0, intervals - 1))
    }
    dropped = isPresented ? judged.dropped : nil
    untold = isPresented ? judged.untold : nil
    nearMisses = NearMisses(judged)
    pacing = PacingErrors(judged)
    latency = LatencyRuns(judged)
    activities = ActivityFigures.all(of: judged, in: trace)
    byRule = rule?.apply(to: judged)
  }
}
