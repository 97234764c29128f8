extension Trace {
  /// The trace with some of its rows alone.
  ///
  /// Markers of other rows and series whose frames ran on others go away; what belongs to the whole
  /// process stays. O(spans).
  public func keeping(_ isKept: (Track) -> Bool) -> Trace {
    var result = self
    result.tracks = []
    result.spans = Spans()
    // Where the spans and rows that stay have gone.
    var newTracks: [Int: Int] = [:]
    var moves: [(old: Range<Int>, by: Int)] = []
    for (index, track) in tracks.enumerated() where isKept(track) {
      newTracks[index] = result.tracks.count
      let first = result.spans.count
      let distance = track.spans.lowerBound - first
      for span in track.spans {
        let parent = spans.parent[span]
        result.spans.append(
          start: spans.start[span], end: spans.end[span], site: spans.site[span],
          parent: parent == Spans.none ? parent : parent - UInt32(distance))
      }
      moves.append((track.spans, distance))
      var kept = track
      kept.spans = first..<result.spans.count
      result.tracks.append(kept)
    }
    // Rows are in the order of their spans, and so are the moves; those of empty rows hold nothing.
    moves.removeAll { $0.old.isEmpty }
    func moved(_ span: Int) -> Int? {
      var (low, high) = (0, moves.count)
      while low < high {
        let middle = (low + high) / 2
        if moves[middle].old.upperBound <= span { low = middle + 1 } else { high = middle }
      }
      guard low < moves.count, moves[low].old.contains(span) else { return nil }
      return span - moves[low].by
    }
    result.folded = FoldedSums()
    for sum in folded {
      guard let track = newTracks[sum.track] else { continue }
      var kept = sum
      kept.track = track
      if sum.parent != Spans.none {
        // The spans of a row move together.
        let distance = tracks[sum.track].spans.lowerBound - result.tracks[track].spans.lowerBound
        kept.parent &-= UInt32(distance)
      }
      result.folded.append(kept)
    }
    result.spans.unfinished = spans.unfinished.compactMap(moved).sorted()
    result.markers = markers.compactMap { marker in
      guard let track = marker.track else { return marker }
      guard let newTrack = newTracks[track] else { return nil }
      return Marker(time: marker.time, site: marker.site, track: newTrack)
    }
    var newSeries: [Int: Int] = [:]
    result.frameSeries = []
    for (index, series) in frameSeries.enumerated() {
      guard series.frames.allSatisfy({ newTracks[$0.track] != nil }) else { continue }
      newSeries[index] = result.frameSeries.count
      var kept = series
      for frame in kept.frames.indices {
        kept.frames[frame].track = newTracks[kept.frames[frame].track] ?? 0
        kept.frames[frame].span = kept.frames[frame].span.flatMap(moved)
      }
      result.frameSeries.append(kept)
    }
    result.keepLinks(of: self, tracks: newTracks, series: newSeries, spans: moved)
    result.activities = activities.compactMap { activity in
      guard let series = activity.series else { return activity }
      guard let newIndex = newSeries[series] else { return nil }
      var kept = activity
      kept.series = newIndex
      return kept
    }
    return result
  }

  /// Takes over what says more of spans that stay.
  private mutating func keepLinks(
    of other: Trace, tracks newTracks: [Int: Int], series newSeries: [Int: Int],
    spans moved: (Int) -> Int?
  ) {
    tasks = other.tasks.compactMap { task in
      newTracks[task.track].map { Task(id: task.id, track: $0) }
    }
    taskChanges = other.taskChanges.compactMap { change in
      newTracks[change.track].map { TaskChange(time: change.time, track: $0, task: change.task) }
    }
    threadStates = other.threadStates.compactMap { state in
      guard let track = newTracks[state.track] else { return nil }
      var kept = state
      kept.track = track
      kept.wokenBy = state.wokenBy.flatMap { newTracks[$0] }
      return kept
    }
    taskSpans = other.taskSpans.compactMap { ends in
      moved(ends.span).map { span in
        TaskSpan(
          span: span, begin: ends.begin.flatMap { newTracks[$0] },
          end: ends.end.flatMap { newTracks[$0] })
      }
    }
    waits = other.waits.compactMap { wait in
      guard let span = moved(wait.span) else { return nil }
      var kept = wait
      kept.span = span
      kept.endedByTrack = wait.endedByTrack.flatMap { newTracks[$0] }
      return kept
    }
    stages = other.stages.compactMap { stage in
      guard let span = moved(stage.span), let series = newSeries[stage.series] else { return nil }
      return Stage(span: span, series: series, frame: stage.frame)
    }
    values = other.values.compactMap { value in
      moved(value.span).map { SpanValue(span: $0, name: value.name, value: value.value) }
    }
    flows = other.flows.compactMap { flow in
      func kept(_ point: Flow.Point) -> Flow.Point? {
        newTracks[point.track].map { track in
          Flow.Point(time: point.time, track: track, task: point.task, site: point.site)
        }
      }
      let result = Flow(
        number: flow.number, begin: flow.begin.flatMap(kept), ends: flow.ends.compactMap(kept))
      return result.begin == nil && result.ends.isEmpty ? nil : result
    }
  }
}
