import FlamelarkTrace

/// Time that is put into a trace at the end of a span, which so takes that much longer.
///
/// On the span's row all that comes after its end moves. On each other row what the thread does at
/// that moment, the innermost span that is open, first comes to its end as it did; what begins
/// behind that moves. Spans around are longer by as much. Where something begins in that innermost
/// span later, or a link has an end there, the row moves from that moment on.
struct Gap {
  let span: Int
  let length: Int64

  /// The trace with it. O(spans).
  func inserted(into trace: Trace) -> Trace {
    var result = trace
    let time = trace.spans.end[span]
    let points = Self.points(of: trace)
    var from: [Int64] = []
    for (row, track) in trace.tracks.enumerated() {
      let begin =
        track.spans.contains(span)
        ? time : Self.begin(in: track.spans, at: time, points: points[row], of: trace)
      from.append(begin)
      for index in track.spans {
        let (start, end) = (trace.spans.start[index], trace.spans.end[index])
        if start >= begin { result.spans.start[index] += length }
        if start >= begin || end > begin { result.spans.end[index] += length }
      }
    }
    // What is around the span may end with it.
    var around = UInt32(span)
    while around != Trace.Spans.none {
      result.spans.end[Int(around)] = trace.spans.end[Int(around)] + length
      around = trace.spans.parent[Int(around)]
    }
    move(&result, from: from, time)
    return result
  }

  /// Moves what is no span.
  private func move(_ trace: inout Trace, from: [Int64], _ time: Int64) {
    func moved(_ old: Int64, _ row: Int?) -> Int64 {
      old > (row.map { from[$0] } ?? time) ? old + length : old
    }
    for index in trace.markers.indices {
      trace.markers[index].time = moved(trace.markers[index].time, trace.markers[index].track)
    }
    trace.markers.sort { $0.time < $1.time }
    for counter in trace.counters.indices {
      trace.counters[counter].times = trace.counters[counter].times.map { moved($0, nil) }
    }
    for index in trace.taskChanges.indices {
      let change = trace.taskChanges[index]
      trace.taskChanges[index].time = moved(change.time, change.track)
    }
    for index in trace.waits.indices {
      let wait = trace.waits[index]
      trace.waits[index].endedAt = wait.endedAt.map { moved($0, wait.endedByTrack) }
    }
    for index in trace.flows.indices {
      if let begin = trace.flows[index].begin {
        trace.flows[index].begin?.time = moved(begin.time, begin.track)
      }
      for end in trace.flows[index].ends.indices {
        let point = trace.flows[index].ends[end]
        trace.flows[index].ends[end].time = moved(point.time, point.track)
      }
    }
    trace.range = trace.range.lowerBound..<trace.range.upperBound + length
  }

  /// The times of all ends of links and waits of each row, ascending.
  private static func points(of trace: Trace) -> [[Int64]] {
    var points = Array(repeating: [Int64](), count: trace.tracks.count)
    for flow in trace.flows {
      for point in flow.ends + [flow.begin].compactMap(\.self) {
        points[point.track].append(point.time)
      }
    }
    for wait in trace.waits {
      if let track = wait.endedByTrack, let time = wait.endedAt { points[track].append(time) }
    }
    return points.map { $0.sorted() }
  }

  /// From when on a row moves on which the span is not.
  private static func begin(
    in row: Range<Int>, at time: Int64, points: [Int64], of trace: Trace
  ) -> Int64 {
    var (low, high) = (row.lowerBound, row.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if trace.spans.start[middle] < time { low = middle + 1 } else { high = middle }
    }
    // The span that began last, or the nearest around it that is open.
    var open = low > row.lowerBound ? UInt32(low - 1) : Trace.Spans.none
    while open != Trace.Spans.none, trace.spans.end[Int(open)] <= time {
      open = trace.spans.parent[Int(open)]
    }
    guard open != Trace.Spans.none else { return time }
    let end = trace.spans.end[Int(open)]
    if low < row.upperBound, trace.spans.start[low] < end { return time }
    return points.contains { $0 > time && $0 <= end } ? time : end
  }
}
