internal import FlamelarkTrace

/// Intervals that count as one rate: within 6 % of the least of them.
///
/// They only group and label frames. No lateness depends on them.
struct RateBuckets: Sendable {
  /// The least interval of each bucket, ascending.
  private var lowest: [Int64] = []
  /// The interval in the middle of each bucket's members, ascending.
  private(set) var intervals: [Int64] = []

  /// Groups intervals. O(n log n).
  init(_ unsorted: [Int64]) {
    let sorted = unsorted.sorted()
    var first = 0
    while first < sorted.count {
      let limit = sorted[first].plus(sorted[first] / 50 * 3)
      let next = sorted[first...].partitionPoint { $0 <= limit }
      lowest.append(sorted[first])
      intervals.append(sorted[(first + next) / 2])
      first = next
    }
  }

  /// The bucket of an interval that was among those grouped. O(log buckets).
  func bucket(of interval: Int64) -> Int {
    max(0, lowest.partitionPoint { $0 <= interval } - 1)
  }
}
