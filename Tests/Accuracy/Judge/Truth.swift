/// By how much each injected cause made each frame late.
///
/// The discrete Aumann–Shapley value, by running the program again: all causes grow from 0 to 1
/// together in steps. Of each step's change of a frame's lateness each cause has the part that it makes
/// alone; where none makes any alone, the part that it unmakes alone. So the parts add up to what the causes together changed.
struct Truth {
  private static let steps = 12

  let injections: [Injection]
  /// The run as it is planned.
  let outcome: Outcome
  /// The hitch ratio with one cause taken out, by injection.
  let ratioWithout: [Injection: Double]
  /// Nanoseconds, by injection and frame.
  private var parts: [[Double]]
  /// What no cause alone changed, by frame, in nanoseconds.
  private(set) var unallotted: [Double]
  /// How late each frame would be without any cause.
  let natural: [Int64]

  init(of plan: Plan) {
    injections = plan.injections
    let everything = Simulation<NoLog>.everything
    outcome = Self.outcome(of: plan, scale: everything)
    parts = Array(
      repeating: Array(repeating: 0, count: plan.frameCount), count: Injection.allCases.count)
    var ratios: [Injection: Double] = [:]
    for injection in injections {
      var scale = everything
      scale[injection.rawValue] = 0
      ratios[injection] = Self.outcome(of: plan, scale: scale).ratio
    }
    ratioWithout = ratios
    unallotted = Array(repeating: 0, count: plan.frameCount)
    natural = Self.outcome(of: plan, scale: everything.map { _ in 0 }).rawLateness
    var before = natural
    for step in 0..<Self.steps {
      before = allot(step, from: before, plan: plan, everything: everything)
    }
  }

  /// What a cause has of a frame's lateness, in nanoseconds.
  subscript(injection: Injection, frame: Int) -> Double {
    max(0, parts[injection.rawValue][frame])
  }

  /// By how much parts, natural lateness and what is unallotted miss a frame's lateness: nothing but
  /// the rounding of floating-point numbers.
  func residual(of frame: Int) -> Double {
    let sum = parts.reduce(0) { $0 + $1[frame] } + unallotted[frame] + Double(natural[frame])
    return sum - Double(outcome.rawLateness[frame])
  }

  /// The causes of a frame with their parts of what is injected, and the part of its lateness that is;
  /// nil if that is less than 30 %, so that the frame has no label.
  func shares(of frame: Int) -> [Injection: Double]? {
    let parts = injections.map { ($0, self[$0, frame]) }.filter { $0.1 > 0 }
    let sum = parts.reduce(0) { $0 + $1.1 }
    guard sum >= 0.3 * Double(outcome.lateness[frame]), sum > 0 else { return nil }
    return Dictionary(uniqueKeysWithValues: parts.map { ($0, $1 / sum) })
  }

  /// Allots one step.
  ///
  /// - Returns: The lateness of the frames at its end.
  private mutating func allot(
    _ step: Int, from before: [Int64], plan: Plan, everything: [Double]
  ) -> [Int64] {
    let (from, to) = (Double(step) / Double(Self.steps), Double(step + 1) / Double(Self.steps))
    let after = Self.outcome(of: plan, scale: everything.map { _ in to }).rawLateness
    /// The lateness with one cause at `one` and the others at `others`, by cause.
    func alone(_ one: Double, others: Double) -> [[Int64]] {
      injections.map { injection in
        var scale = everything.map { _ in others }
        scale[injection.rawValue] = one
        return Self.outcome(of: plan, scale: scale).rawLateness
      }
    }
    let forward = alone(to, others: from)
    var backward: [[Int64]]?
    for frame in before.indices where after[frame] != before[frame] {
      var changes = forward.map { Double(abs($0[frame] - before[frame])) }
      if changes.allSatisfy({ $0 == 0 }) {
        // Only several together begin to make it late: what each takes away again then counts.
        let lateness = backward ?? alone(from, others: to)
        backward = lateness
        changes = lateness.map { Double(abs($0[frame] - after[frame])) }
      }
      let sum = changes.reduce(0, +)
      guard sum > 0 else {
        unallotted[frame] += Double(after[frame] - before[frame])
        continue
      }
      for (injection, change) in zip(injections, changes) {
        parts[injection.rawValue][frame] += Double(after[frame] - before[frame]) * change / sum
      }
    }
    return after
  }

  private static func outcome(of plan: Plan, scale: [Double]) -> Outcome {
    var simulation = Simulation(plan, scale: scale, log: NoLog())
    simulation.run()
    return simulation.outcome
  }
}
