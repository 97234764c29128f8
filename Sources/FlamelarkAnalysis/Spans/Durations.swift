extension SpanStatistics.Durations {
  /// Looks at durations in any order; nil if there are none. O(n).
  init?(_ durations: ArraySlice<Int64>) {
    guard let longest = durations.max() else { return nil }
    self.longest = longest
    if durations.count <= RankSearch.buckets {
      let sorted = durations.sorted()
      func ranked(_ percent: Int) -> Int64 { sorted[Self.rank(percent, of: sorted.count)] }
      (median, p90, p99) = (ranked(50), ranked(90), ranked(99))
    } else {
      var search = RankSearch()
      func ranked(_ percent: Int) -> Int64 {
        search.value(
          of: Self.rank(percent, of: durations.count), in: durations, atMost: longest)
      }
      (median, p90, p99) = (ranked(50), ranked(90), ranked(99))
    }
  }

  /// The place of the least element that so many in a hundred are not above.
  private static func rank(_ percent: Int, of count: Int) -> Int {
    let (whole, part) = count.quotientAndRemainder(dividingBy: 100)
    return max(0, whole * percent + (part * percent + 99) / 100 - 1)
  }
}

/// Finds the element of a rank without sorting: digit by digit, from the greatest one down.
private struct RankSearch {
  static let buckets = 1 << bits
  private static let bits = 12
  private var counts = Array(repeating: 0, count: buckets)

  /// The element that so many are before. Elements are from 0 to `greatest`.
  mutating func value(of rank: Int, in values: ArraySlice<Int64>, atMost greatest: Int64) -> Int64 {
    var rank = rank
    var prefix: UInt64 = 0
    let digits = (64 - greatest.leadingZeroBitCount + Self.bits - 1) / Self.bits
    for digit in (0..<digits).reversed() {
      let shift = UInt64(digit * Self.bits)
      for bucket in counts.indices { counts[bucket] = 0 }
      for value in values {
        let value = UInt64(bitPattern: value)
        guard (value >> shift) >> UInt64(Self.bits) == prefix else { continue }
        counts[Int(truncatingIfNeeded: value >> shift) & (Self.buckets - 1)] += 1
      }
      var bucket = 0
      while counts[bucket] <= rank {
        rank -= counts[bucket]
        bucket += 1
      }
      prefix = (prefix << UInt64(Self.bits)) | UInt64(bucket)
    }
    return Int64(bitPattern: prefix)
  }
}
