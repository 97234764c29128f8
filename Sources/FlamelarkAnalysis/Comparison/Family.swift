/// Differences of many figures at once, as of all causes: with every further one the chance grows that
/// some differ by chance.
///
/// Which differ is chosen so that of those that are told to differ at most the part ``Difference/level``
/// does so by chance, and where nothing differs, in at most that part of comparisons any is told. The
/// intervals leave out 0 where a figure is chosen. Sources: Benjamini and Hochberg, Journal of the Royal
/// Statistical Society B 57 (1995); intervals: Benjamini and Yekutieli, Journal of the American
/// Statistical Association 100 (2005).
struct Family {
  /// Whether each figure is told to differ.
  let isChosen: [Bool]
  /// The level of the interval of each.
  let intervalLevel: Double

  init(_ probabilities: [Double]) {
    // What is not known is not told.
    let known = probabilities.indices.filter { !probabilities[$0].isNaN }
    let order = known.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
    let step = Difference.level / Double(max(1, known.count))
    var chosen = 0
    for (rank, index) in order.enumerated() where probabilities[index] <= step * Double(rank + 1) {
      chosen = rank + 1
    }
    var isChosen = Array(repeating: false, count: probabilities.count)
    for index in order.prefix(chosen) { isChosen[index] = true }
    self.isChosen = isChosen
    intervalLevel = step * Double(max(1, chosen))
  }
}
