extension Trace {
  /// What a trace must fulfil, found broken.
  public struct BrokenInvariant: Error, Sendable, CustomStringConvertible {
    /// What is broken and where.
    public var description: String
  }

  /// Checks everything that the type promises. O(spans + frames).
  public func checkInvariants() throws(BrokenInvariant) {
    try checkSpans()
    try checkFolded()
    try checkFrames()
    try checkRests()
    try checkLinks()
    for counter in counters where counter.times.count != counter.values.count {
      throw BrokenInvariant(description: "counter \(names[counter.name]) has times without values")
    }
  }

  private func checkSpans() throws(BrokenInvariant) {
    let count = spans.count
    guard spans.end.count == count, spans.site.count == count, spans.parent.count == count else {
      throw BrokenInvariant(description: "the columns of the spans differ in length")
    }
    var covered = 0
    for (number, track) in tracks.enumerated() {
      guard track.spans.lowerBound == covered, track.spans.upperBound <= count else {
        throw BrokenInvariant(description: "track \(number) doesn't begin where the last one ended")
      }
      covered = track.spans.upperBound
      // The end of the last child seen of each open span, innermost last.
      var open: [(span: Int, lastChildEnd: Int64)] = []
      var lastTopEnd = Int64.min
      for span in track.spans {
        guard spans.start[span] <= spans.end[span] else {
          throw BrokenInvariant(description: "span \(span) ends before it begins")
        }
        guard spans.site[span].index < UInt32(callSites.count) else {
          throw BrokenInvariant(description: "span \(span) has no call site")
        }
        let parent = spans.parent[span]
        while let last = open.last, UInt32(last.span) != parent { open.removeLast() }
        if parent == Spans.none {
          guard spans.start[span] >= lastTopEnd else {
            throw BrokenInvariant(description: "span \(span) overlaps the one before it")
          }
          lastTopEnd = spans.end[span]
        } else {
          guard let around = open.last else {
            throw BrokenInvariant(description: "the parent of span \(span) is not open")
          }
          guard spans.start[span] >= spans.start[around.span],
            spans.end[span] <= spans.end[around.span]
          else {
            throw BrokenInvariant(description: "span \(span) reaches out of its parent")
          }
          guard spans.start[span] >= around.lastChildEnd else {
            throw BrokenInvariant(description: "span \(span) overlaps the one before it")
          }
          open[open.count - 1].lastChildEnd = spans.end[span]
        }
        open.append((span, .min))
      }
    }
    guard covered == count else {
      throw BrokenInvariant(description: "\(count - covered) spans belong to no track")
    }
  }

  private func checkFolded() throws(BrokenInvariant) {
    for (index, sum) in folded.enumerated() {
      guard tracks.indices.contains(sum.track) else {
        throw BrokenInvariant(description: "the sum \(index) of left-out spans has no track")
      }
      guard sum.site.index < UInt32(callSites.count) || sum.reason == .overDepth else {
        throw BrokenInvariant(description: "the sum \(index) of left-out spans has no call site")
      }
      guard sum.parent == Spans.none || tracks[sum.track].spans.contains(Int(sum.parent)) else {
        throw BrokenInvariant(
          description: "the span around sum \(index) of left-out spans is not on its track")
      }
    }
  }

  private func checkFrames() throws(BrokenInvariant) {
    for series in frameSeries {
      for (index, frame) in series.frames.enumerated() {
        guard frame.number == index else {
          throw BrokenInvariant(
            description: "frame \(index) of \(series.name) has number \(frame.number)")
        }
        guard tracks.indices.contains(frame.track) else {
          throw BrokenInvariant(description: "frame \(index) of \(series.name) has no track")
        }
        guard
          index == 0 || frame.beginsSegment
            || series.frames[index - 1].timestamp <= frame.timestamp
        else {
          throw BrokenInvariant(
            description: "frame \(index) of \(series.name) begins before the one before it")
        }
      }
    }
  }

  private func checkRests() throws(BrokenInvariant) {
    for series in frameSeries {
      for (index, rest) in series.rests.enumerated() {
        guard rest.frame.map(series.frames.indices.contains) ?? true else {
          throw BrokenInvariant(description: "rest \(index) of \(series.name) has no frame")
        }
        guard
          index == 0 || series.rests[index - 1].range.lowerBound <= rest.range.lowerBound
        else {
          throw BrokenInvariant(
            description: "rest \(index) of \(series.name) begins before the one before it")
        }
      }
    }
  }

  private func checkLinks() throws(BrokenInvariant) {
    func check(_ what: String, _ holds: Bool, _ fault: String) throws(BrokenInvariant) {
      if !holds { throw BrokenInvariant(description: "\(what) \(fault)") }
    }
    func isTrack(_ track: Int?) -> Bool { track.map(tracks.indices.contains) ?? true }
    for task in tasks {
      try check(
        "task \(task.id)", isTrack(task.track) && tracks[task.track].kind == .task,
        "has no row of a task")
    }
    for (index, change) in taskChanges.enumerated() {
      try check("change of task \(index)", isTrack(change.track), "has no track")
    }
    for (index, ends) in taskSpans.enumerated() {
      try check(
        "span \(ends.span) around await",
        (0..<spans.count).contains(ends.span) && isTrack(ends.begin) && isTrack(ends.end)
          && (index == 0 || taskSpans[index - 1].span < ends.span), "is not there, or out of order")
    }
    for (index, wait) in waits.enumerated() {
      try check(
        "wait \(index)",
        (0..<spans.count).contains(wait.span) && isTrack(wait.endedByTrack)
          && (index == 0 || waits[index - 1].span < wait.span), "has no span or ender")
    }
    for (index, state) in threadStates.enumerated() {
      let before = index > 0 ? threadStates[index - 1] : nil
      try check(
        "thread state \(index)",
        tracks.indices.contains(state.track) && isTrack(state.wokenBy)
          && (before.map {
            $0.track < state.track
              || $0.track == state.track && $0.range.upperBound <= state.range.lowerBound
          } ?? true), "has no thread, or overlaps the one before it")
    }
    for (index, stage) in stages.enumerated() {
      try check(
        "stage \(index)",
        (0..<spans.count).contains(stage.span) && frameSeries.indices.contains(stage.series)
          && frameSeries[stage.series].frames.indices.contains(stage.frame),
        "has no span or frame")
    }
    for (index, value) in values.enumerated() {
      try check(
        "value \(index)",
        (0..<spans.count).contains(value.span)
          && (index == 0 || values[index - 1].span <= value.span), "has no span, or is out of order"
      )
    }
    for flow in flows {
      try check(
        "link \(flow.number)",
        isTrack(flow.begin?.track) && flow.ends.allSatisfy { isTrack($0.track) },
        "begins or ends on no track")
    }
  }
}
