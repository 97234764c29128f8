/// What became of one cause of late frames from one set of runs to the other.
public struct CauseChange: Sendable {
  /// What became of it.
  public enum Verdict: String, Sendable {
    /// It bears more.
    case worse
    /// It bears less.
    case better
    /// No run of the first set has it, and that is hardly chance.
    case new
    /// No run of the second set has it, and that is hardly chance.
    case gone
    /// No run of the first set has it.
    case perhapsNew = "perhaps new"
    /// No run of the second set has it.
    case perhapsGone = "perhaps gone"
    /// It didn't change so much that it can be seen.
    case noChange = "no change"
  }

  /// What it is.
  public let signature: CauseSignature
  /// What it bears in each set, in ms/s.
  public let blame: Difference
  /// Where the true change lies, in ms/s; nil: not known, or too small to be looked at.
  public let interval: ClosedRange<Double>?
  /// In how many runs of each set it bears anything.
  public let runs: (a: Int, b: Int)
  /// What became of it.
  public let verdict: Verdict

  /// All causes that any run names, that with the greatest change first.
  ///
  /// Which places in a program are causes, each trace decides for itself. Here all places that are causes
  /// in any run are causes in each: what lies below such a place and in none of them is borne by it.
  static func all(
    _ a: [RunFigures], _ b: [RunFigures],
    units: (a: [RunFigures.Block], b: [RunFigures.Block]), unit: Comparison.Unit, least: Double
  ) -> [CauseChange] {
    var cut = CommonCut((a + b).flatMap(\.causes))
    let first = units.a.map { cut.blame(of: $0) }
    let second = units.b.map { cut.blame(of: $0) }
    let runs = (a: a.map { cut.blame(of: $0.whole) }, b: b.map { cut.blame(of: $0.whole) })
    let times = (a: units.a.map(\.activeTime), b: units.b.map(\.activeTime))
    let places = Set((first + second).flatMap(\.keys)).sorted()
    let differences = places.map { place in
      Difference(
        RatioEstimate(first.map { $0[place] ?? 0 }, of: times.a),
        RatioEstimate(second.map { $0[place] ?? 0 }, of: times.b),
        greatest: Comparison.greatestRatio)
    }
    let counts = places.map { place in
      (a: runs.a.count { ($0[place] ?? 0) > 0 }, b: runs.b.count { ($0[place] ?? 0) > 0 })
    }
    // What is small in both sets together is not looked at: that doesn't depend on how they differ.
    let looked = places.indices.filter { index in
      let isNamed = cut.signatures[places[index]].kind != .other
      return isNamed && (differences[index].a + differences[index].b) / 2 >= least
    }
    let family = Family(looked.map { differences[$0].probability })
    let presence = Presence(looked.map { counts[$0] }, runs: (a.count, b.count))
    var lookedAt: [Int: Int] = [:]
    for (place, index) in looked.enumerated() { lookedAt[index] = place }
    let changes = places.indices.map { index in
      let place = lookedAt[index]
      let difference = differences[index]
      return CauseChange(
        signature: cut.signatures[places[index]], blame: difference,
        interval: place == nil ? nil : difference.interval(level: family.intervalLevel),
        runs: counts[index],
        verdict: verdict(
          of: difference, in: counts[index],
          differs: place.map { family.isChosen[$0] } ?? false,
          isHere: place.map { presence.isChosen[$0] } ?? false,
          isLarge: place != nil && difference.change.magnitude >= least, unit: unit))
    }
    return changes.sorted { first, second in
      let (left, right) = (first.blame.change.magnitude, second.blame.change.magnitude)
      return left == right ? first.signature < second.signature : left > right
    }
  }

  private static func verdict(
    of blame: Difference, in runs: (a: Int, b: Int), differs: Bool, isHere: Bool, isLarge: Bool,
    unit: Comparison.Unit
  ) -> Verdict {
    guard isLarge else { return .noChange }
    let isSure = unit == .run && (differs || isHere)
    if runs.a == 0 { return isSure ? .new : .perhapsNew }
    if runs.b == 0 { return isSure ? .gone : .perhapsGone }
    guard differs else { return .noChange }
    return blame.change > 0 ? .worse : .better
  }
}

/// The causes of several runs: the same places in all of them.
private struct CommonCut {
  /// All of them, in their order.
  let signatures: [CauseSignature]
  /// The cause of each place that was asked for.
  private var causeOf: [CauseSignature: Int] = [:]

  init(_ named: [CauseSignature]) {
    signatures = Set(named + [.other, .backlog]).sorted()
    for (index, signature) in signatures.enumerated() { causeOf[signature] = index }
  }

  /// What each cause bears in a part of a run, in nanoseconds.
  mutating func blame(of block: RunFigures.Block) -> [Int: Int64] {
    var result: [Int: Int64] = [:]
    for (place, time) in block.blame {
      let cause = cause(of: place)
      result[cause] = (result[cause] ?? 0).plus(time)
    }
    return result
  }

  /// The nearest cause around a place, or other variation.
  private mutating func cause(of place: CauseSignature) -> Int {
    if let known = causeOf[place] { return known }
    var around = place.around
    while let candidate = around, causeOf[candidate] == nil { around = candidate.around }
    let cause = around.flatMap { causeOf[$0] } ?? causeOf[.other] ?? 0
    causeOf[place] = cause
    return cause
  }
}
