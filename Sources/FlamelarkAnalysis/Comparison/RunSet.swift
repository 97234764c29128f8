/// Several runs of a program under one condition.
public struct RunSet: Sendable {
  /// The hitch ratio of all of them together, in ms/s.
  public let hitchRatio: Double
  /// Where the true ratio lies, in ms/s; nil: the runs are too short, and too few.
  public let interval: ClosedRange<Double>?
  /// What stands for what chance draws.
  public let unit: Comparison.Unit
  /// The least change that would be found in four of five tries between this set and one of as many
  /// runs, in ms/s; NaN: not known.
  public let leastSeen: Double
  /// The hitch ratio of each session, ascending, in ms/s: of each activity that was asked for, else of
  /// each run.
  public let sessions: [Double]

  /// The figures of some runs, at least one.
  public init(_ runs: [RunFigures]) {
    let isByRun = runs.count >= Comparison.leastRuns
    unit = isByRun ? .run : .block
    let units = Comparison.units(of: runs, byRun: isByRun)
    let ratio = RatioEstimate(units.map(\.hitchTime), of: units.map(\.activeTime))
    hitchRatio = ratio.value
    let error = ratio.variance.squareRoot()
    let degrees = Double(max(1, ratio.units - 1))
    interval =
      error.isFinite
      ? {
        let reach = StudentT.quantile(beyond: Difference.level, degrees: degrees) * error
        return max(0, ratio.value - reach)...ratio.value + reach
      }() : nil
    leastSeen = Difference(ratio, ratio).leastSeen
    let activities = runs.flatMap(\.activityRatios)
    sessions = (activities.isEmpty ? runs.map(\.hitchRatio) : activities).sorted()
  }

  /// The ratio that `percent` of the sessions don't exceed, by nearest rank, in ms/s.
  public func sessions(percentile percent: Int) -> Double {
    NearestRank.value(perMille: percent * 10, of: sessions) ?? 0
  }
}
