/// What became of the self time of the spans of a name from one set of runs to the other.
public struct SpanChange: Sendable {
  /// The name, each run of digits as `#`.
  public let name: String
  /// Its self time on all threads, in ms for each second of active time.
  public let time: Difference
  /// Where the true change lies; nil: not known, or too small to be looked at.
  public let interval: ClosedRange<Double>?
  /// Whether it changed by more than chance.
  public let differs: Bool

  /// Less than so many ms/s in both sets is not looked at.
  private static let least = 0.5

  /// All names, that with the greatest change first.
  static func all(_ a: [RunFigures], _ b: [RunFigures], unit: Comparison.Unit) -> [SpanChange] {
    let names = Set((a + b).flatMap { $0.spanTimes.keys }).sorted()
    let times = (a: a.map(\.activeTime), b: b.map(\.activeTime))
    let differences = names.map { name in
      Difference(
        RatioEstimate(a.map { $0.spanTimes[name] ?? 0 }, of: times.a),
        RatioEstimate(b.map { $0.spanTimes[name] ?? 0 }, of: times.b))
    }
    let looked = names.indices.filter { index in
      unit == .run && (differences[index].a + differences[index].b) / 2 >= least
    }
    let family = Family(looked.map { differences[$0].probability })
    var lookedAt: [Int: Int] = [:]
    for (place, index) in looked.enumerated() { lookedAt[index] = place }
    let changes = names.indices.map { index in
      let place = lookedAt[index]
      return SpanChange(
        name: names[index], time: differences[index],
        interval: place == nil ? nil : differences[index].interval(level: family.intervalLevel),
        differs: place.map { family.isChosen[$0] } ?? false)
    }
    return changes.sorted { first, second in
      let (left, right) = (first.time.change.magnitude, second.time.change.magnitude)
      return left == right ? first.name < second.name : left > right
    }
  }
}
