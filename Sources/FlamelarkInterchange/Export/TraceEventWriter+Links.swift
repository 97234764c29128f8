internal import FlamelarkTrace

extension TraceEventWriter {
  /// Writes flows that have a beginning and an end in the range: readers wait for ends that never
  /// come, and some hang over them. What began before everything else is not in the range.
  mutating func putFlows<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void, _ summary: inout ExportSummary
  ) throws(E) {
    for flow in trace.flows {
      let ends = flow.ends.filter { end in
        isShown(end.time) && flow.begin.map { $0.time <= end.time } ?? false
      }
      guard let begin = flow.begin, isShown(begin.time), !ends.isEmpty else {
        summary.partialLinks += 1
        continue
      }
      let label =
        Array(#""cat":"flow","name":"#.utf8) + siteNames[Int(begin.site.index)]
        + Self.identifier(flowNumbers.number(for: flow.number))
      put(.begin, label, at: begin.time, on: begin.track)
      for end in ends.dropLast() { put(.step, label, at: end.time, on: end.track) }
      put(.end, label, at: ends[ends.count - 1].time, on: ends[ends.count - 1].track)
      summary.links += 1
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Writes who ended which wait: from there to the end of the wait.
  mutating func putWaits<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void, _ summary: inout ExportSummary
  ) throws(E) {
    var rows = SpanRows(of: trace)
    var ends = trace.taskSpans[...]
    for wait in trace.waits {
      while let next = ends.first, next.span < wait.span { ends.removeFirst() }
      let row = rows.row(of: wait.span)
      let isTask = trace.tracks[row].kind == .task
      guard let ender = wait.endedByTrack, !isTask || options.hasTasks else { continue }
      // A wait of a task ends where the task goes on.
      let taskEnd = ends.first.flatMap { $0.span == wait.span ? $0.end : nil }
      // Within the wait, also where its end was moved away from what begins there.
      let (start, last) = (trace.spans.start[wait.span], trace.spans.end[wait.span])
      let end = max(start, last - 2)
      let begin = min(wait.endedAt ?? end, end)
      guard isShown(begin), isShown(end) else {
        summary.partialLinks += 1
        continue
      }
      let label =
        Array("\"cat\":\"wait\",\"name\":\"\(wait.kind.rawValue)\",".utf8)
        + Self.identifier(flowNumbers.next())
      put(.begin, label, at: begin, on: ender)
      put(.end, label, at: end, on: taskEnd ?? row, row: isTask ? row : nil)
      summary.links += 1
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  private func isShown(_ time: Int64) -> Bool { time >= zero && isInRange(time) }

  private enum Part { case begin, step, end }

  private mutating func put(
    _ part: Part, _ label: [UInt8], at time: Int64, on track: Int, row: Int? = nil
  ) {
    switch part {
    case .begin: begin(#"{"ph":"s","#)
    case .step: begin(#"{"ph":"t","#)
    case .end: begin(#"{"ph":"f","bp":"e","#)
    }
    buffer.put(label)
    buffer.put(place(of: track))
    buffer.putMicroseconds(time - zero)
    if let row {
      // The wait is none of the thread's.
      buffer.put(Array(",\"args\":{\"row\":\"0x\(String(row + 1, radix: 16))\"}".utf8))
    }
    buffer.put("}")
  }
}
