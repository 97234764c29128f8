extension Trace {
  /// The task that a span ran in, as the run-time calls it. nil: in none, or that is not known.
  ///
  /// A span around `await` is on the row of its task. Of any other the thread was asked when the
  /// outermost span around it began, if it was seen to run tasks. O(depth + log changes).
  public func task(ofSpan span: Int) -> UInt64? {
    guard let track = tracks.lastIndex(where: { $0.spans.lowerBound <= span && !$0.spans.isEmpty })
    else { return nil }
    return task(ofSpan: span, on: track)
  }

  /// The same where the row of the span is known.
  public func task(ofSpan span: Int, on track: Int) -> UInt64? {
    if tracks[track].kind == .task { return tasks.first { $0.track == track }?.id }
    var outermost = span
    while spans.parent[outermost] != Spans.none { outermost = Int(spans.parent[outermost]) }
    let begin = spans.start[outermost]
    var (low, high) = (0, taskChanges.count)
    while low < high {
      let middle = (low + high) / 2
      let change = taskChanges[middle]
      if (change.track, change.time) <= (track, begin) { low = middle + 1 } else { high = middle }
    }
    guard low > 0, taskChanges[low - 1].track == track else { return nil }
    return taskChanges[low - 1].task
  }
}
