extension RandomAccessCollection where Index == Int {
  /// The first index whose element is not `before`, where all such stand behind the others; the end
  /// if there is none. O(log n).
  @inlinable
  package func partitionPoint(_ before: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if before(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
