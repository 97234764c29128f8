internal import FlamelarkTrace

extension TraceEventWriter {
  mutating func putMarkers<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for marker in trace.markers where isInRange(marker.time) {
      let site = Int(marker.site.index)
      if let track = marker.track {
        if isLeftOut(track) { continue }
        beginMoment(on: track, sites[site], name: siteNames[site])
      } else {
        begin(#"{"ph":"i","s":"g","#)
        buffer.put(sites[site])
        buffer.put(place(of: 0))
      }
      buffer.putMicroseconds(marker.time - zero)
      buffer.put("}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Tells of each stage which frame it is of. Its span has its name.
  mutating func putStages<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var rows = SpanRows(of: trace)
    for stage in trace.stages {
      let name = siteNames[Int(trace.spans.site[stage.span].index)]
      let label = Array(#""cat":"stage","name":"#.utf8) + name
      guard putMoment(ofSpan: stage.span, on: rows.row(of: stage.span), label, name: name) else {
        continue
      }
      buffer.put(#","args":{"series":"#)
      buffer.putString(trace.frameSeries[stage.series].name)
      buffer.put(#","index":"#)
      buffer.putInteger(Int64(stage.frame))
      buffer.put("}}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Writes values of spans where the spans begin: as arguments of theirs they would make each a
  /// frame of its own in speedscope.
  mutating func putValues<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var rows = SpanRows(of: trace)
    for value in trace.values {
      let name = JSONBuffer.quoted(trace.names[value.name]) + [UInt8(ascii: ",")]
      let label = Array(#""cat":"value","name":"#.utf8) + name
      guard putMoment(ofSpan: value.span, on: rows.row(of: value.span), label, name: name) else {
        continue
      }
      buffer.put(#","args":{"value":"#)
      buffer.putInteger(value.value)
      buffer.put("}}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Begins a moment at the beginning of a span, without its end. Whether the span is exported.
  private mutating func putMoment(
    ofSpan span: Int, on track: Int, _ label: [UInt8], name: [UInt8]
  ) -> Bool {
    var time = trace.spans.start[span]
    if let range = options.range {
      guard time < range.upperBound,
        trace.spans.end[span] > range.lowerBound || time >= range.lowerBound
      else { return false }
      time = max(time, range.lowerBound)
    }
    if isLeftOut(track) { return false }
    beginMoment(on: track, label, name: name)
    buffer.putMicroseconds(time - zero)
    return true
  }

  /// Begins an instant, up to its time: of a thread, or of the row of a task.
  private mutating func beginMoment(on track: Int, _ label: [UInt8], name: [UInt8]) {
    guard trace.tracks.indices.contains(track), trace.tracks[track].kind == .task else {
      begin(#"{"ph":"i","s":"t","#)
      buffer.put(label)
      return buffer.put(place(of: track))
    }
    begin(#"{"ph":"n","cat":"task","name":"#)
    buffer.put(name)
    buffer.put(Self.rowIdentifier(track))
    buffer.put(place(of: track))
  }

  private func isLeftOut(_ track: Int) -> Bool {
    !options.hasTasks && trace.tracks.indices.contains(track) && trace.tracks[track].kind == .task
  }

  /// Gives the number of values that JSON has no way to say.
  mutating func putCounters<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> Int {
    var notFinite = 0
    let place = place(of: 0)
    for counter in trace.counters {
      let name = JSONBuffer.quoted(trace.names[counter.name])
      for (time, value) in zip(counter.times, counter.values) where isInRange(time) {
        guard value.isFinite else {
          notFinite += 1
          continue
        }
        begin(#"{"ph":"C","cat":"counter","name":"#)
        buffer.put(name)
        buffer.put(",")
        buffer.put(place)
        buffer.putMicroseconds(time - zero)
        buffer.put(#","args":{"value":"#)
        buffer.put(Array(value.description.utf8))
        buffer.put("}}")
        if buffer.isFull { try unsafe buffer.empty(into: sink) }
      }
    }
    return notFinite
  }
}
