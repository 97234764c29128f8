internal import FlamelarkFormat

extension Trace {
  /// Adds sums of spans that were left out to the recorded spans around them. O(n log spans).
  mutating func addFolds(
    _ folds: [RecordedEvents.Fold], ofTrack track: Int, sites: SiteTable, map: TickMap
  ) {
    var hint = 0
    let added = folds.map { fold -> FoldedSpans in
      let start = map(fold.start, near: &hint)
      func nanoseconds(_ ticks: UInt64) -> Int64 {
        max(0, map(fold.start &+ ticks, near: &hint) - start)
      }
      let range = start..<start + nanoseconds(fold.extent)
      return FoldedSpans(
        reason: fold.reason, track: track,
        parent: spanAround(range, depth: Int(fold.depth), onTrack: track),
        site: sites[fold.site], range: range, count: Int(clamping: fold.count),
        total: nanoseconds(fold.total), selfTime: nanoseconds(fold.own),
        longest: nanoseconds(fold.longest))
    }
    folded += added.sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.site.index)
        < ($1.range.lowerBound, $1.range.upperBound, $1.site.index)
    }
  }

  /// The innermost span of a row that holds a range and is less deep than what ran in it.
  private func spanAround(_ range: Range<Int64>, depth: Int, onTrack track: Int) -> UInt32 {
    let row = tracks[track].spans
    var (low, high) = (row.lowerBound, row.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if spans.start[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    guard low > row.lowerBound else { return Spans.none }
    var span = UInt32(low - 1)
    var spanDepth = self.depth(ofSpan: Int(span))
    while span != Spans.none,
      spanDepth >= depth || spans.end[Int(span)] < range.upperBound
    {
      span = spans.parent[Int(span)]
      spanDepth -= 1
    }
    return span
  }
}
