/// The value of a rank: xᵣ with r = ⌈q·n⌉, the least that is not below a part q of n values.
public enum NearestRank {
  /// The value that so many in a thousand of the values, which ascend, are not above; nil without any.
  public static func value<Value>(perMille: Int, of ascending: [Value]) -> Value? {
    guard !ascending.isEmpty else { return nil }
    let (whole, part) = ascending.count.quotientAndRemainder(dividingBy: 1000)
    let rank = whole * perMille + (part * perMille + 999) / 1000
    return ascending[min(max(rank, 1), ascending.count) - 1]
  }
}
