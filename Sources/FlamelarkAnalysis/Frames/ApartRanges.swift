internal import FlamelarkTrace

extension [Range<Int64>] {
  /// The same times without what two of them share, ascending, so that nothing in them counts twice.
  package var apart: [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Which of these ranges, which are ascending and apart, has a time in it. O(log ranges).
  package func index(holding time: Int64) -> Int? {
    let index = partitionPoint { $0.lowerBound <= time } - 1
    return index >= 0 && self[index].contains(time) ? index : nil
  }
}
