internal import FlamelarkTrace

extension TraceBuilder {
  /// The asynchronous spans of one id.
  struct AsyncRow {
    /// The id, as a thread.
    var thread: Int
    var spans: SpanRow
    /// The begin and end event of each span.
    var begins: [UInt32]
    var ends: [UInt32]
    /// The name of the first span.
    var name: UInt32
    var start: Int64
    var end: Int64
  }

  /// Pairs what is asynchronous under one id. A task of our own export gets its row; what other
  /// tools write goes to `rows`, to share some.
  mutating func addAsync(
    _ thread: Int, _ load: ThreadLoad, _ indices: inout [UInt32], _ rows: inout [AsyncRow]
  ) {
    pairing.run(&indices, in: load.range, order: &order)
    pairing.endUnfinished(at: load.end)
    let spans = pairing.row
    let row = AsyncRow(
      thread: thread, spans: spans, begins: pairing.beginOf, ends: pairing.endOf,
      name: spans.name.first ?? RawNameTable.none, start: spans.start.first ?? load.end,
      end: spans.end.max() ?? load.end)
    let entry = scanner.asyncs.entries[Int(keys[thread].thread.value)]
    guard let name = entry.rowName else { return rows.append(row) }
    addTrack([row], name: mended(name))
    rowsOfTasks[entry.id] = trace.tracks.count - 1
    if let task = entry.task {
      trace.tasks.append(Trace.Task(id: task, track: trace.tracks.count - 1))
    }
  }

  /// Adds the ids of one process, those whose first spans have one name on as few rows as keep them
  /// apart, and forgets them.
  mutating func addPacked(_ rows: inout [AsyncRow]) {
    var order: [UInt32] = []
    var byName: [UInt32: [AsyncRow]] = [:]
    for row in rows {
      if byName[row.name] == nil { order.append(row.name) }
      byName[row.name, default: []].append(row)
    }
    rows.removeAll()
    for name in order {
      let ids = byName[name] ?? []
      let packed = PackedRows(ids.map { ($0.start, $0.end) })
      var members = Array(repeating: [AsyncRow](), count: packed.count)
      for (id, row) in zip(ids, packed.rows) { members[row].append(id) }
      let title = title(of: name)
      for (number, ids) in members.enumerated() {
        let sorted = ids.enumerated().sorted { a, b in
          (a.element.start, a.element.end, a.offset) < (b.element.start, b.element.end, b.offset)
        }
        addTrack(sorted.map(\.element), name: number == 0 ? title : "\(title) (\(number + 1))")
      }
    }
  }

  private func title(of name: UInt32) -> String {
    guard name != RawNameTable.none else { return "(asynchronous)" }
    let text = text.string(scanner.names.ranges[Int(name)]).text
    return text.isEmpty ? "(unnamed)" : text
  }

  private mutating func addTrack(_ rows: [AsyncRow], name: String) {
    let first = trace.spans.count
    for row in rows {
      trackOf[row.thread] = trace.tracks.count
      let range = append(row.spans)
      for (span, ends) in zip(range, zip(row.begins, row.ends)) {
        asyncSpans.append((span, ends.0, ends.1))
      }
    }
    var track = Trace.Track(
      kind: .task, name: name, processID: number(of: keys[rows[0].thread].process), threadID: 0)
    track.spans = first..<trace.spans.count
    trace.tracks.append(track)
  }

  /// Says on which threads asynchronous spans began and ended, now that all rows are there.
  mutating func addTaskSpans() {
    func track(ofEvent event: UInt32) -> Int? {
      guard event != SpanPairing.noEnd else { return nil }
      return scanner.asyncs.thread(ofEvent: event).flatMap { trackOf[Int(mapping[Int($0)])] }
    }
    trace.taskSpans = asyncSpans.map { span, begin, end in
      Trace.TaskSpan(span: span, begin: track(ofEvent: begin), end: track(ofEvent: end))
    }
    asyncSpans = []
  }
}
