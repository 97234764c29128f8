import Foundation

/// One run, judged: its trace goes to `flamelark blame`, whose word is held against the truth.
struct Trial {
  private let plan: Plan
  private let truth: Truth
  private let outcome: Outcome
  private var tally = Tally()

  /// Judges a seed of a cell. `folder` is where the trace is kept meanwhile.
  static func tally(cell: Cell, seed: UInt64, program: String, folder: URL) -> Tally {
    var trial = Trial(cell: cell, seed: seed)
    let file = folder.appendingPathComponent(
      "\(cell.name.replacing(" ", with: "-"))-\(seed).lark")
    do {
      try trial.write(file)
      let output = try BlameOutput(of: file, by: program)
      trial.judge(output)
    } catch {
      trial.fail("\(error)")
    }
    try? FileManager.default.removeItem(at: file)
    return trial.tally
  }

  /// The bytes of a run's trace.
  static func trace(of plan: Plan) -> Data {
    var simulation = Simulation(plan, log: LarkLog(plan))
    simulation.run()
    return Data(LarkFile(of: simulation.log, plan: plan).bytes)
  }

  private init(cell: Cell, seed: UInt64) {
    plan = Plan(cell: cell, seed: seed)
    truth = Truth(of: plan)
    outcome = truth.outcome
    tally.runs = 1
    tally.frames = plan.frameCount
    tally.hitches = outcome.hitches.count
  }

  private func write(_ file: URL) throws { try Self.trace(of: plan).write(to: file) }

  private mutating func fail(_ text: String) {
    tally.failures.append("\(plan.cell.name), seed \(plan.seed): \(text)")
  }

  private mutating func judge(_ output: BlameOutput) {
    guard let series = output.series.first(where: { $0.name == plan.names.series }) else {
      fail("the report has no series \(plan.names.series)")
      return
    }
    compareLateness(series)
    checkTruth()
    judgeBaselines()
    var totals: [CauseKey: Double] = [:]
    for hitch in series.hitches where outcome.lateness.indices.contains(hitch.frame) {
      let borne = hitch.causes.reduce(0) { $0 + $1.blame }
      tally.residual = max(tally.residual, abs(borne - hitch.lateness))
      var amounts: [CauseKey: Double] = [:]
      for cause in hitch.causes {
        amounts[cause.key(by: plan.names), default: 0] += Double(cause.blame)
      }
      totals.merge(amounts, uniquingKeysWith: +)
      guard let shares = truth.shares(of: hitch.frame) else { continue }
      let given = Shares(normalizing: amounts)
      if !tally.ours.add(given, truth: shares) { miss(hitch, given, shares) }
    }
    judge(totals)
    judgeFigures(series, totals: totals)
  }

  private mutating func miss(
    _ hitch: BlameOutput.Hitch, _ given: Shares, _ truth: [Injection: Double]
  ) {
    let truth = Shares(
      uniqueKeysWithValues: truth.map { (CauseKey.injection($0.key), $0.value) })
    let late = Double(hitch.lateness) / 1e6
    tally.misses.append(
      "\(plan.cell.name), seed \(plan.seed), frame \(hitch.frame), "
        + "\(late.formatted(2)) ms late: truth \(truth.text); ours \(given.text)")
  }

  /// The engine and the simulation have to find the same frames late, to the nanosecond.
  private mutating func compareLateness(_ series: BlameOutput.Series) {
    var found = Array(repeating: Int64(0), count: plan.frameCount)
    for hitch in series.hitches where found.indices.contains(hitch.frame) {
      found[hitch.frame] = hitch.lateness
    }
    if found != outcome.lateness {
      let frame = found.indices.first { found[$0] != outcome.lateness[$0] } ?? 0
      fail(
        "frame \(frame) is late by \(outcome.lateness[frame]) ns, the report says \(found[frame])")
    }
    if series.hitchTime != outcome.lateness.reduce(0, +) {
      fail("the report's hitch time is \(series.hitchTime) ns")
    }
    if series.activeTime != outcome.activeTime {
      fail("the active time is \(outcome.activeTime) ns, the report says \(series.activeTime)")
    }
  }

  /// The truth has to add up, and what it can't give to any cause must be little.
  private mutating func checkTruth() {
    if let frame = outcome.lateness.indices.first(where: { abs(truth.residual(of: $0)) > 1 }) {
      fail("the truth of frame \(frame) doesn't add up")
    }
    let left = truth.unallotted.reduce(0) { $0 + abs($1) }
    if left > 0.02 * Double(outcome.rawLateness.reduce(0, +)) {
      fail("\((left / 1e6).formatted(1)) ms belong to no cause")
    }
  }

  private mutating func judgeBaselines() {
    var simulation = Simulation(plan, log: Timeline())
    simulation.run()
    let baselines = Baselines(of: simulation.log, outcome: outcome, plan: plan)
    for frame in outcome.hitches {
      guard let shares = truth.shares(of: frame) else { continue }
      for (method, given) in baselines.shares(of: frame) {
        tally.baselines[method, default: Score()].add(given, truth: shares)
      }
    }
  }
}

// MARK: Figures of the whole series

extension Trial {
  private func total(of injection: Injection) -> Double {
    outcome.hitches.reduce(0) { $0 + truth[injection, $1] }
  }

  private mutating func judge(_ totals: [CauseKey: Double]) {
    let pairs = truth.injections.map { (total(of: $0), totals[.injection($0), default: 0]) }
    if let correlation = RankCorrelation.spearman(pairs) { tally.correlations.append(correlation) }
    let ours = truth.injections.max {
      totals[.injection($0), default: 0] < totals[.injection($1), default: 0]
    }
    let right = truth.injections.max { total(of: $0) < total(of: $1) }
    tally.sameFirst += ours == right ? 1 : 0
  }

  private mutating func judgeFigures(_ series: BlameOutput.Series, totals: [CauseKey: Double]) {
    let causes = Dictionary(grouping: series.causes) { $0.key(by: plan.names) }
    let hasIntervals = series.causes.contains { $0.low != nil }
    for injection in truth.injections {
      let mine = causes[.injection(injection)] ?? []
      let total = total(of: injection)
      if hasIntervals, total > 0 || totals[.injection(injection), default: 0] > 0 {
        let low = mine.reduce(0) { $0 + ($1.low ?? $1.blame) }
        let high = mine.reduce(0) { $0 + ($1.high ?? $1.blame) }
        tally.intervals += 1
        tally.covered += total >= Double(low) && total <= Double(high) ? 1 : 0
      }
      // What several causes save together is taken for the sum of what each saves.
      let savings = mine.compactMap(\.ratioIfNormal).map { outcome.ratio - $0 }
      if savings.isEmpty {
        tally.withoutWhatIf += 1
      } else {
        let without = truth.ratioWithout[injection] ?? outcome.ratio
        tally.whatIfErrors.append(abs(outcome.ratio - savings.reduce(0, +) - without))
      }
    }
  }
}
