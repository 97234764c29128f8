/// Whether it can be chance that something is in runs of one set alone.
///
/// If it is in k of all runs, and which ones is chance, they are all among the n of one set in
/// C(n, k) / C(N, k) of all cases: Fisher's exact test of a table with an empty field. Of many at once
/// those that can't be told from chance at all are not counted. Source: Tarone, Biometrics 46 (1990).
struct Presence {
  /// In how many runs of each set.
  typealias Count = (a: Int, b: Int)

  /// Whether each is in one set alone, and that is unlikely to be chance.
  let isChosen: [Bool]

  init(_ counts: [Count], runs: Count) {
    func probability(_ count: Count, _ first: Int, _ second: Int) -> Double {
      let k = count.a + count.b
      return Self.share(of: k, within: first, of: runs.a + runs.b)
        + Self.share(of: k, within: second, of: runs.a + runs.b)
    }
    let least = counts.map { probability($0, runs.a, runs.b) }
    // The least number of tests that is enough for those that it leaves.
    var tests = 1
    while least.count(where: { $0 <= Difference.level / Double(tests) }) > tests { tests += 1 }
    isChosen = zip(counts, least).map { count, probability in
      (count.a == 0) != (count.b == 0) && probability <= Difference.level / Double(tests)
    }
  }

  /// In what part of all choices of k of N they are all among the first n.
  static func share(of k: Int, within n: Int, of total: Int) -> Double {
    guard k > 0, k <= n else { return 0 }
    return (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double(total - $1) }
  }
}
