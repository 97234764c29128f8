internal import FlamelarkTrace

extension TraceEventWriter {
  /// Writes the row of a task as nestable asynchronous events.
  ///
  /// The row has one id and one category: a reader nests what has both. The thread of a begin or an
  /// end is that on which it happened. The first begin names the row, each tells its span's own
  /// category. `ends` are those of this row's spans and of later ones; it loses this row's.
  mutating func putTask<E: Error>(
    _ walk: TrackWalk, _ ends: inout ArraySlice<Trace.TaskSpan>,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary.Track {
    let row = trace.tracks[walk.track]
    while let next = ends.first, next.span < row.spans.lowerBound { ends.removeFirst() }
    let count = ends.prefix { $0.span < row.spans.upperBound }.count
    let own = ends.prefix(count)
    ends = ends.dropFirst(count)
    guard options.hasTasks else {
      var summary = ExportSummary.Track(name: row.name)
      summary.isAsynchronous = true
      return summary
    }
    let identifier = Self.rowIdentifier(walk.track)
    let unknownPlace = place(of: walk.track)
    var isNamed = false
    var summary = try walk.run { (step, label, time, span) throws(E) in
      switch step {
      case .begin: begin(#"{"ph":"b","cat":"task","name":"#)
      case .end: begin(#"{"ph":"e","cat":"task","name":"#)
      case .instant, .cut: begin(#"{"ph":"n","cat":"task","name":"#)
      }
      switch label {
      case _ where step == .cut: buffer.put(#""cut","#)
      case .frame: buffer.put(#""Frame","#)
      case .site(let site): buffer.put(siteNames[Int(site.index)])
      }
      buffer.put(identifier)
      let known = Self.ends(of: Int(span), among: own)
      let thread = step == .end ? known?.end : known?.begin
      buffer.put(thread.map { place(of: $0) } ?? unknownPlace)
      buffer.putMicroseconds(time - zero)
      if step == .begin { putArguments(ofTask: walk.track, label, isNamed: &isNamed) }
      buffer.put("}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
    summary.isAsynchronous = true
    return summary
  }

  /// `"id":"0x…",` of a row.
  static func rowIdentifier(_ track: Int) -> [UInt8] { identifier(UInt64(track) + 1) }

  /// `"id":"0x…",`.
  static func identifier(_ number: UInt64) -> [UInt8] {
    Array("\"id\":\"0x\(String(number, radix: 16))\",".utf8)
  }

  private mutating func putArguments(
    ofTask track: Int, _ label: TrackWalk.Label, isNamed: inout Bool
  ) {
    var separator: StaticString = #","args":{"#
    if !isNamed {
      isNamed = true
      buffer.put(separator)
      separator = ","
      buffer.put(#""row":"#)
      buffer.putString(trace.tracks[track].name)
      if let task = task(of: track) {
        buffer.put(#","task":"#)
        buffer.putString(String(task))
      }
    }
    if case .site(let site) = label, let category = trace.callSites[Int(site.index)].category {
      buffer.put(separator)
      separator = ","
      buffer.put(#""category":"#)
      buffer.putString(trace.names[category])
    }
    if separator.utf8CodeUnitCount == 1 { buffer.put("}") }
  }

  /// What the run-time calls the task of a row. Tasks are in the order of their rows.
  private func task(of track: Int) -> UInt64? {
    let task = trace.tasks.partitionPoint { $0.track < track }
    return task < trace.tasks.count && trace.tasks[task].track == track ? trace.tasks[task].id : nil
  }

  private static func ends(
    of span: Int, among ends: ArraySlice<Trace.TaskSpan>
  ) -> Trace.TaskSpan? {
    let index = ends.partitionPoint { $0.span < span }
    return index < ends.endIndex && ends[index].span == span ? ends[index] : nil
  }
}
