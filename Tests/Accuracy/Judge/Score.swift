/// How often a method names the right cause.
struct Score {
  private(set) var count = 0
  private var first = 0
  private var amongThree = 0
  private var error = 0.0

  /// The part of the hitches whose first cause is the right one.
  var precision: Double { Double(first) / Double(max(1, count)) }

  /// The part of the hitches whose right cause is among the first three.
  var recall: Double { Double(amongThree) / Double(max(1, count)) }

  /// Half the sum of the differences between given and true shares, on average.
  var shareError: Double { error / Double(max(1, count)) }

  /// Takes in a hitch.
  ///
  /// - Returns: Whether the first cause is the right one.
  @discardableResult
  mutating func add(_ given: Shares, truth: [Injection: Double]) -> Bool {
    let truth = Dictionary(
      uniqueKeysWithValues: truth.map { (CauseKey.injection($0.key), $0.value) })
    guard let right = truth.ranked.first?.key else { return true }
    let ranked = given.ranked
    count += 1
    let isRight = ranked.first?.key == right
    first += isRight ? 1 : 0
    amongThree += ranked.prefix(3).contains { $0.key == right } ? 1 : 0
    error += Set(given.keys).union(truth.keys).reduce(0) { sum, key in
      sum + abs(given[key, default: 0] - truth[key, default: 0]) / 2
    }
    return isRight
  }

  static func += (sum: inout Score, other: Score) {
    sum.count += other.count
    sum.first += other.first
    sum.amongThree += other.amongThree
    sum.error += other.error
  }
}
