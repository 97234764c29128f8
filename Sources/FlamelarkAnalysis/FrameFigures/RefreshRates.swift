/// The refresh rate over time. Intervals within 6 % of each other count as one rate.
public struct RefreshRates: Sendable, Equatable {
  /// Frames one behind the other with the same rate.
  public struct Run: Sendable, Equatable {
    /// Its interval, in nanoseconds: that of ``JudgedFrames/rates``.
    public let interval: Int64
    /// The number of its first frame.
    public let firstFrame: Int
    /// When the time of its first frame begins.
    public let start: Int64
    /// How many frames.
    public internal(set) var frames: Int
    /// Their active time, in nanoseconds.
    public internal(set) var activeTime: Int64
  }

  /// All frames of a rate.
  public struct Rate: Sendable, Equatable {
    /// Its interval, in nanoseconds.
    public let interval: Int64
    /// How many frames.
    public internal(set) var frames = 0
    /// Their active time, in nanoseconds.
    public internal(set) var activeTime: Int64 = 0
    /// How many of them were late.
    public internal(set) var hitches = 0
    /// Their lateness together, in nanoseconds.
    public internal(set) var hitchTime: Int64 = 0

    /// Milliseconds of lateness in a second of active time.
    public var hitchRatio: Double { FlamelarkAnalysis.hitchRatio(hitchTime, in: activeTime) }
  }

  /// The rates over time.
  public let runs: [Run]
  /// The rates, the fastest first.
  public let rates: [Rate]

  /// How often the rate changed.
  public var changes: Int { max(0, runs.count - 1) }

  init(_ judged: JudgedFrames) {
    var runs: [Run] = []
    var rates = judged.rates.map { Rate(interval: $0) }
    var last: Int?
    for frame in judged.frames where frame.isActive {
      let bucket = judged.buckets.bucket(of: frame.interval)
      if bucket != last {
        runs.append(
          Run(
            interval: rates[bucket].interval, firstFrame: frame.number,
            start: frame.window.lowerBound, frames: 0, activeTime: 0))
        last = bucket
      }
      runs[runs.count - 1].frames += 1
      runs[runs.count - 1].activeTime = runs[runs.count - 1].activeTime.plus(frame.activeTime)
      rates[bucket].frames += 1
      rates[bucket].activeTime = rates[bucket].activeTime.plus(frame.activeTime)
      rates[bucket].hitchTime = rates[bucket].hitchTime.plus(frame.lateness)
      if frame.lateness > 0 { rates[bucket].hitches += 1 }
    }
    self.runs = runs
    self.rates = rates
  }
}

/// Milliseconds of lateness in a second of active time, 0 without any.
func hitchRatio(_ hitchTime: Int64, in activeTime: Int64) -> Double {
  activeTime > 0 ? Double(hitchTime) / Double(activeTime) * 1000 : 0
}
