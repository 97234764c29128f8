extension Trace {
  /// The task that a span ran in, as the run-time calls it. nil: in none, or that is not known.
  ///
  /// A span around `await` is on the row of its task. Of any other the thread was asked when the
  /// outermost span around it began, if it was seen to run tasks. O(depth + log changes + log tracks).
  public func task(ofSpan span: Int) -> UInt64? {
    let track = tracks.partitionPoint { $0.spans.upperBound <= span }
    return track < tracks.count ? task(ofSpan: span, on: track) : nil
  }

  /// The same where the row of the span is known.
  public func task(ofSpan span: Int, on track: Int) -> UInt64? {
    if tracks[track].kind == .task {
      let task = tasks.partitionPoint { $0.track < track }
      return task < tasks.count && tasks[task].track == track ? tasks[task].id : nil
    }
    var outermost = span
    while spans.parent[outermost] != Spans.none { outermost = Int(spans.parent[outermost]) }
    let begin = spans.start[outermost]
    let next = taskChanges.partitionPoint { ($0.track, $0.time) <= (track, begin) }
    guard next > 0, taskChanges[next - 1].track == track else { return nil }
    return taskChanges[next - 1].task
  }
}
