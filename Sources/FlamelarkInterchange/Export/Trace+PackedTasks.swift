internal import FlamelarkTrace

extension Trace {
  /// The trace with the spans of all tasks on as few rows as keep them apart, behind the others; or
  /// without them.
  ///
  /// What belongs to no row of a task stays; what says more of spans, as waits do, goes away.
  /// O(spans · log spans) of tasks.
  func packingTasks(isKeeping: Bool) -> Trace {
    guard tracks.contains(where: { $0.kind == .task }) else { return self }
    var result = self
    result.removeLinks()
    result.tracks = []
    result.spans = Spans()
    result.spans.reserveCapacity(spans.count)
    // Rows that stay, and where they have gone.
    var moves: [Int: Int] = [:]
    let unfinished = Set(spans.unfinished)
    var taskSpans: [Range<Int>] = []
    for (index, track) in tracks.enumerated() {
      if track.kind == .task {
        taskSpans.append(track.spans)
        continue
      }
      moves[index] = result.tracks.count
      var kept = track
      kept.spans = result.append(track.spans, of: spans, unfinished)
      result.tracks.append(kept)
    }
    for series in result.frameSeries.indices {
      for frame in result.frameSeries[series].frames.indices {
        let track = result.frameSeries[series].frames[frame].track
        result.frameSeries[series].frames[frame].track = moves[track] ?? 0
      }
    }
    if isKeeping { result.appendPacked(taskSpans, of: self, unfinished) }
    return result
  }

  private mutating func appendPacked(
    _ rows: [Range<Int>], of other: Trace, _ unfinished: Set<Int>
  ) {
    // Each outermost span with what is in it.
    var trees: [Range<Int>] = []
    for row in rows {
      for span in row {
        if other.spans.parent[span] == Spans.none { trees.append(span..<span) }
        trees[trees.count - 1] = trees[trees.count - 1].lowerBound..<span + 1
      }
    }
    let packed = PackedRows(
      trees.map { (other.spans.start[$0.lowerBound], other.spans.end[$0.lowerBound]) })
    var treesOfRow = Array(repeating: [Int](), count: packed.count)
    for (tree, row) in packed.rows.enumerated() { treesOfRow[row].append(tree) }
    for (row, members) in treesOfRow.enumerated() {
      let order = members.sorted {
        let (a, b) = (trees[$0].lowerBound, trees[$1].lowerBound)
        return (other.spans.start[a], other.spans.end[a], a)
          < (other.spans.start[b], other.spans.end[b], b)
      }
      let first = spans.count
      for tree in order { _ = append(trees[tree], of: other.spans, unfinished) }
      tracks.append(
        Track(
          kind: .task, name: "tasks, row \(row + 1)", processID: other.source.processID ?? 1,
          threadID: 0, spans: first..<spans.count))
    }
    spans.unfinished.sort()
  }

  /// Adds spans that stand together.
  private mutating func append(
    _ range: Range<Int>, of other: Spans, _ unfinished: Set<Int>
  ) -> Range<Int> {
    let first = spans.count
    for span in range {
      let parent = other.parent[span]
      spans.append(
        start: other.start[span], end: other.end[span], site: other.site[span],
        parent: parent == Spans.none ? parent : parent - UInt32(range.lowerBound) + UInt32(first))
      if unfinished.contains(span) { spans.unfinished.append(first + span - range.lowerBound) }
    }
    return first..<spans.count
  }

  private mutating func removeLinks() {
    folded = FoldedSums()
    (tasks, taskChanges, taskSpans, waits, flows, stages, values) = ([], [], [], [], [], [], [])
    threadStates = []
  }
}
