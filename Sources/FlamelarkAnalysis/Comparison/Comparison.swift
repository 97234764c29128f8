/// Whether the frames of one set of runs are later than those of another, and why.
///
/// What is drawn by chance are runs: from three on each side, a difference is told where it is more than
/// runs of one set differ by themselves. With fewer, parts of about a second stand for runs, and how
/// runs differ by themselves is not known.
public struct Comparison: Sendable {
  /// What stands for what chance draws.
  public enum Unit: String, Sendable {
    /// A run.
    case run
    /// A part of a run, of a second of active time or more; of a tenth of a run below ten seconds.
    case block
  }

  /// What became of the hitch ratio.
  public enum Verdict: String, Sendable {
    /// It went down.
    case better
    /// It went up.
    case worse
    /// It didn't change so much that it can be seen.
    case noChange = "no change"
    /// The runs are too short, too few or too different to say anything.
    case unknown
  }

  /// What was drawn by chance.
  public let unit: Unit
  /// The runs of the first set.
  public let a: [RunFigures]
  /// The runs of the second set.
  public let b: [RunFigures]
  /// The hitch ratio of all runs of a set together, in ms/s.
  public let ratio: Difference
  /// What became of it.
  public let verdict: Verdict
  /// All causes of both sets, that with the greatest change first. What they bear adds up to the ratios.
  public let causes: [CauseChange]
  /// Spans by name, that whose self time changed most first.
  public let spans: [SpanChange]
  /// What should be the same in both sets and isn't.
  public let mismatches: [ConditionMismatch]
  /// A change of the ratio or of a cause below this is none that matters, in ms/s.
  public let leastChange: Double

  /// Nothing is late for longer than it runs: in ms/s.
  static let greatestRatio = 1000.0
  /// So many runs on each side say how runs differ by themselves.
  public static let leastRuns = 3

  /// Compares two sets of at least one run each. O(frames + runs · places of lateness).
  public init(_ a: [RunFigures], _ b: [RunFigures]) {
    self.a = a
    self.b = b
    let isByRun = min(a.count, b.count) >= Self.leastRuns
    unit = isByRun ? .run : .block
    let units = (a: Self.units(of: a, byRun: isByRun), b: Self.units(of: b, byRun: isByRun))
    let ratio = Difference(
      RatioEstimate(units.a.map(\.hitchTime), of: units.a.map(\.activeTime)),
      RatioEstimate(units.b.map(\.hitchTime), of: units.b.map(\.activeTime)),
      greatest: Self.greatestRatio)
    let leastChange = max(0.05, 0.01 * max(ratio.a, ratio.b))
    self.ratio = ratio
    self.leastChange = leastChange
    verdict = Self.verdict(of: ratio, least: leastChange)
    causes = CauseChange.all(a, b, units: units, unit: unit, least: leastChange)
    spans = SpanChange.all(a, b, unit: unit)
    mismatches = ConditionMismatch.all(a.map(\.conditions), b.map(\.conditions))
  }

  /// What chance draws: runs, or their blocks; a run that is too short for two is one.
  static func units(of runs: [RunFigures], byRun: Bool) -> [RunFigures.Block] {
    byRun ? runs.map(\.whole) : runs.flatMap { $0.blocks.isEmpty ? [$0.whole] : $0.blocks }
  }

  private static func verdict(of ratio: Difference, least: Double) -> Verdict {
    guard let interval = ratio.interval() else { return .unknown }
    guard ratio.change.magnitude >= least, !interval.contains(0) else {
      // Not even a change of all there is would have been seen.
      return ratio.leastSeen > max(ratio.a, ratio.b, least) ? .unknown : .noChange
    }
    return ratio.change > 0 ? .worse : .better
  }
}

/// A figure of percentiles of overruns.
extension Comparison {
  /// The overruns of all runs of each set.
  public func overruns() -> (a: Overruns, b: Overruns) {
    (Overruns(a.map(\.overruns)), Overruns(b.map(\.overruns)))
  }

  /// The mean of a percentile of the overruns of each run, in nanoseconds; nil where a run is no unit, or
  /// one has no frames.
  public func overruns(percentile percent: Int) -> Difference? {
    let (first, second) = (
      a.compactMap { $0.overruns.percentile(percent) },
      b.compactMap { $0.overruns.percentile(percent) }
    )
    guard unit == .run, first.count == a.count, second.count == b.count else { return nil }
    return Difference(RatioEstimate(meanOf: first), RatioEstimate(meanOf: second))
  }
}
