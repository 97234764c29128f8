internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension TraceEventWriter {
  mutating func putFrames<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for index in trace.frameSeries.indices {
      // One name for each series: Tracy makes a frame set of each instant called frame.
      let suffix = index == series ? "" : " " + trace.frameSeries[index].name
      func quoted(_ name: String) -> [UInt8] { JSONBuffer.quoted(name + suffix) + [0x2C] }
      try unsafe putFrames(
        of: trace.frameSeries[index], name: quoted("Frame"), counter: quoted("frame_ms"),
        presented: quoted("presented"), to: sink)
    }
  }

  private mutating func putFrames<E: Error>(
    of series: Trace.FrameSeries, name: [UInt8], counter: [UInt8], presented: [UInt8],
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for (index, frame) in series.frames.enumerated() where isInRange(frame.begin) {
      let place = place(of: frame.track)
      begin(#"{"ph":"i","s":"p","cat":"frame","name":"#)
      buffer.put(name)
      buffer.put(place)
      buffer.putMicroseconds(frame.begin - zero)
      buffer.put(#","args":{"index":"#)
      buffer.putInteger(Int64(frame.number))
      if frame.isDiscarded { buffer.put(#","discarded":true"#) }
      buffer.put("}}")
      if let time = frame.presented, (zero...Self.lastTime).contains(time), isInRange(time) {
        begin(#"{"ph":"i","s":"p","cat":"frame","name":"#)
        buffer.put(presented)
        buffer.put(place)
        buffer.putMicroseconds(time - zero)
        buffer.put(#","args":{"index":"#)
        buffer.putInteger(Int64(frame.number))
        buffer.put("}}")
      }
      let next = index + 1 < series.frames.count ? series.frames[index + 1].begin : nil
      if let end = frame.end ?? next, end >= frame.begin {
        begin(#"{"ph":"C","cat":"frame","name":"#)
        buffer.put(counter)
        buffer.put(place)
        buffer.putMicroseconds(frame.begin - zero)
        buffer.put(#","args":{"ms":"#)
        let duration = end - frame.begin
        putMilliseconds(duration)
        buffer.put("}}")
      }
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Writes the late frames of the series that has scopes: each from when it was due until it was
  /// there, with an id of its own, because two may overlap. Gives their number.
  mutating func putHitches<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> Int {
    guard options.hasHitches, let index = series else { return 0 }
    let series = trace.frameSeries[index]
    let judged = JudgedFrames(of: series, in: trace, refresh: options.refresh)
    let window = options.range ?? zero..<Self.lastTime
    var count = 0
    for (frame, verdict) in zip(series.frames, judged.frames) where verdict.lateness > 0 {
      let known = series.mode == .presented ? frame.presented : nil
      let end = known ?? verdict.target.saturatingAdd(verdict.lateness)
      let start = end.saturatingSubtract(verdict.lateness)
      guard start < window.upperBound, end > window.lowerBound else { continue }
      let label =
        Array(#""cat":"hitch","name":"hitch","#.utf8) + Self.identifier(nextIdentifier)
        + place(of: frame.track)
      nextIdentifier += 1
      count += 1
      begin(#"{"ph":"b","#)
      buffer.put(label)
      buffer.putMicroseconds(max(start, window.lowerBound) - zero)
      buffer.put(#","args":{"series":"#)
      buffer.putString(series.name)
      buffer.put(#","frame":"#)
      buffer.putInteger(Int64(frame.number))
      buffer.put(#","late_ms":"#)
      putMilliseconds(verdict.lateness)
      buffer.put("}}")
      begin(#"{"ph":"e","#)
      buffer.put(label)
      buffer.putMicroseconds(min(end, window.upperBound) - zero)
      buffer.put("}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
    return count
  }

  /// What a program says of its frames may be any number; no clock reaches further than this.
  static var lastTime: Int64 { 1 << 60 }

  /// Nanoseconds as milliseconds with six decimals. Not negative.
  mutating func putMilliseconds(_ duration: Int64) {
    buffer.putInteger(duration / 1_000_000)
    buffer.put(Array(".\(String(1_000_000 + duration % 1_000_000).dropFirst())".utf8))
  }
}

extension Int64 {
  fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
