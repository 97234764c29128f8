/// Divides whole nanoseconds by weight, without rest: the largest remainders get what is over.
struct Apportionment {
  /// The last division, as many as the weights.
  private(set) var shares: [Int64] = []
  private var remainders: [(remainder: UInt64, index: Int)] = []

  /// Divides an amount. Of equal remainders the first comes first, so the result repeats.
  ///
  /// `amount` is at least 0; `weights` are positive and at least one. O(n log n).
  mutating func divide(_ amount: Int64, by weights: [Double]) {
    shares.removeAll(keepingCapacity: true)
    remainders.removeAll(keepingCapacity: true)
    guard weights.count > 1 else {
      shares.append(amount)
      return
    }
    // Whole weights make the division exact. Their sum stays below 2^63.
    let scale = Double(weights.count < 1 << 22 ? 1 << 40 : 1 << 30) / (weights.max() ?? 1)
    let whole = weights.map { max(1, UInt64($0 * scale)) }
    let sum = whole.reduce(0, +)
    var rest = amount
    for (index, weight) in whole.enumerated() {
      let product = amount.magnitude.multipliedFullWidth(by: weight)
      let (share, remainder) = sum.dividingFullWidth(product)
      shares.append(Int64(share))
      rest -= Int64(share)
      remainders.append((remainder, index))
    }
    guard rest > 0 else { return }
    remainders.sort { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for (_, index) in remainders.prefix(Int(rest)) { shares[index] += 1 }
  }
}
