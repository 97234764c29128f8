/// What is counted over the runs of a cell.
struct Tally {
  var runs = 0
  var frames = 0
  var hitches = 0
  var ours = Score()
  var baselines: [Baselines.Method: Score] = [:]
  /// Causes whose true total is in the interval given for it, of those for which one is given.
  var covered = 0
  var intervals = 0
  /// Errors of "if normal" in ms/s, one for each cause that has a figure; how many have none.
  var whatIfErrors: [Double] = []
  var withoutWhatIf = 0
  /// Rank correlations of the causes' totals, and in how many runs the greatest is the right one.
  var correlations: [Double] = []
  var sameFirst = 0
  /// The greatest difference between a hitch's lateness and what its causes bear, in nanoseconds.
  var residual: Int64 = 0
  /// Where the engine's lateness is not that of the simulation, and other things that must not be.
  var failures: [String] = []
  /// The hitches whose first cause is wrong.
  var misses: [String] = []

  static func += (sum: inout Tally, other: Tally) {
    sum.runs += other.runs
    sum.frames += other.frames
    sum.hitches += other.hitches
    sum.ours += other.ours
    for (method, score) in other.baselines { sum.baselines[method, default: Score()] += score }
    sum.covered += other.covered
    sum.intervals += other.intervals
    sum.whatIfErrors += other.whatIfErrors
    sum.withoutWhatIf += other.withoutWhatIf
    sum.correlations += other.correlations
    sum.sameFirst += other.sameFirst
    sum.residual = max(sum.residual, other.residual)
    sum.failures += other.failures
    sum.misses += other.misses
  }
}

extension Tally {
  /// The part of the given intervals that has the true total, nil: none was given.
  var coverage: Double? { intervals > 0 ? Double(covered) / Double(intervals) : nil }

  /// The mean error of "if normal" in ms/s, nil: none was given.
  var whatIfError: Double? { mean(whatIfErrors) }

  /// The mean rank correlation, nil: there was none.
  var correlation: Double? { mean(correlations) }

  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
