public import FlamelarkTrace

/// Writes a trace as Trace Event JSON that speedscope, Perfetto and chrome://tracing show alike.
///
/// Scopes are B and E, begins and ends never at one moment of a thread, everything closed, times
/// in microseconds with three decimals on the trace's own axis. Frames are instants `Frame`, a
/// scope `Frame` around their spans and a counter `frame_ms`.
public struct TraceEventExport: Sendable {
  /// Perfetto's limit.
  public static let depthLimit = 512
  /// What speedscope opens in a few seconds.
  public static let comfortableSlices = 50_000

  private let trace: Trace
  private let options: ExportOptions

  /// An export of a trace. Nothing happens before ``write(to:)``.
  public init(_ trace: Trace, options: ExportOptions = ExportOptions()) {
    self.trace = trace
    self.options = options
  }

  /// Writes it: calls `sink` with one piece after another. O(spans).
  public func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    var writer = TraceEventWriter(trace, options)
    return try unsafe writer.write(to: sink)
  }
}

private struct TraceEventWriter: ~Copyable {
  let trace: Trace
  let options: ExportOptions
  let threads: ExportedThreads
  /// The series whose frames get scopes.
  let series: Int?
  /// What is taken from every time: the trace's axis stays, unless it begins below 0.
  let zero: Int64
  var buffer = JSONBuffer()
  var isFirst = true
  /// `"cat":"span","name":"…",` of each call site, made once.
  var sites: [[UInt8]] = []

  init(_ trace: Trace, _ options: ExportOptions) {
    self.trace = trace
    self.options = options
    threads = ExportedThreads(of: trace.tracks)
    series = trace.exportedSeries(options)
    zero = trace.exportedZero(options)
    sites = trace.callSites.map { site in
      let name = trace.names[site.name]
      return Array("\"cat\":\"span\",\"name\":".utf8)
        + JSONBuffer.quoted(name.isEmpty ? "(unnamed)" : name) + [UInt8(ascii: ",")]
    }
  }

  mutating func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    var summary = ExportSummary(
      depthLimit: TraceEventExport.depthLimit,
      comfortableSlices: TraceEventExport.comfortableSlices)
    putHeader()
    putNames()
    let scopes = FrameScopes(of: series.map { trace.frameSeries[$0] }, in: trace)
    summary.frameScopes = scopes.count
    summary.framesWithoutScope = scopes.omitted
    for track in trace.tracks.indices {
      let walk = TrackWalk(
        trace: trace, track: track, frames: scopes.byTrack[track] ?? [], range: options.range,
        isNudging: true, depthLimit: summary.depthLimit)
      let rowPlace = place(of: track)
      summary.tracks.append(
        try walk.run { (step, label, time) throws(E) in
          put(step, label, time, rowPlace)
          if buffer.isFull { try unsafe buffer.empty(into: sink) }
        })
    }
    try unsafe putFrames(to: sink)
    try unsafe putMarkers(to: sink)
    summary.notFinite = try unsafe putCounters(to: sink)
    buffer.put("\n]}\n")
    try unsafe buffer.empty(into: sink)
    return summary
  }

  // MARK: Head

  private mutating func putHeader() {
    buffer.put(#"{"displayTimeUnit":"ns","otherData":{"tool":"flamelark""#)
    if let wallClock = trace.wallClockZero {
      let (sum, overflow) = wallClock.addingReportingOverflow(zero)
      if !overflow { putProperty(ExportedKey.wallClockZero, String(sum)) }
    }
    for (key, value) in trace.source.properties.sorted(by: { $0.key < $1.key })
    where key != "tool" && key != ExportedKey.wallClockZero && !key.hasPrefix("process ") {
      putProperty(key, value)
    }
    buffer.put(#"},"traceEvents":["#)
    buffer.put("\n")
  }

  private mutating func putProperty(_ key: String, _ value: String) {
    buffer.put(",")
    buffer.putString(key)
    buffer.put(":")
    buffer.putString(value)
  }

  /// Without `cat`: speedscope would take a scope called Profile for a recording of Chrome.
  private mutating func putNames() {
    var named = Set<Int64>()
    for (index, track) in trace.tracks.enumerated() {
      let row = threads.rows[index]
      if named.insert(row.process).inserted {
        let name =
          options.processNames[track.processID]
          ?? trace.source.properties["process \(track.processID)"]
          ?? trace.source.properties["executable"] ?? "process \(track.processID)"
        begin(#"{"ph":"M","name":"process_name","#)
        buffer.put(place(of: index, withTime: false))
        buffer.put(#","args":{"name":"#)
        buffer.putString(name)
        buffer.put("}}")
      }
      begin(#"{"ph":"M","name":"thread_name","#)
      buffer.put(place(of: index, withTime: false))
      buffer.put(#","args":{"name":"#)
      buffer.putString(track.name)
      buffer.put("}}")
      begin(#"{"ph":"M","name":"thread_sort_index","#)
      buffer.put(place(of: index, withTime: false))
      buffer.put(#","args":{"sort_index":"#)
      buffer.putInteger(Int64(index))
      buffer.put("}}")
    }
  }

  // MARK: Events

  /// Begins an event, on a line of its own.
  @inline(__always) private mutating func begin(_ text: StaticString) {
    if isFirst { isFirst = false } else { buffer.put(",\n") }
    buffer.put(text)
  }

  /// `"pid":…,"tid":…,"ts":` of a row.
  private func place(of track: Int, withTime: Bool = true) -> [UInt8] {
    let row =
      threads.rows.indices.contains(track) ? threads.rows[track] : .init(process: 1, thread: 1)
    return Array(
      "\"pid\":\(row.process),\"tid\":\(row.thread)\(withTime ? ",\"ts\":" : "")".utf8)
  }

  private mutating func put(
    _ step: TrackWalk.Step, _ label: TrackWalk.Label, _ time: Int64, _ place: [UInt8]
  ) {
    switch step {
    case .begin: begin(#"{"ph":"B","#)
    case .end: begin(#"{"ph":"E","#)
    case .instant: begin(#"{"ph":"i","s":"t","#)
    case .cut:
      // The name stays the same and says nothing of frames: Tracy makes a frame set of those.
      begin(#"{"ph":"i","s":"t","cat":"edge","name":"cut","#)
      buffer.put(place)
      buffer.putMicroseconds(time - zero)
      buffer.put("}")
      return
    }
    switch label {
    case .frame: buffer.put(#""cat":"frame","name":"Frame","#)
    case .site(let site): buffer.put(sites[Int(site.index)])
    }
    buffer.put(place)
    buffer.putMicroseconds(time - zero)
    buffer.put("}")
  }

  private func isInRange(_ time: Int64) -> Bool { options.range?.contains(time) ?? true }

  private mutating func putFrames<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for index in trace.frameSeries.indices {
      // One name for each series: Tracy makes a frame set of each instant called frame.
      let suffix = index == series ? "" : " " + trace.frameSeries[index].name
      try unsafe putFrames(
        of: trace.frameSeries[index], name: JSONBuffer.quoted("Frame" + suffix) + [0x2C],
        counter: JSONBuffer.quoted("frame_ms" + suffix) + [0x2C], to: sink)
    }
  }

  private mutating func putFrames<E: Error>(
    of series: Trace.FrameSeries, name: [UInt8], counter: [UInt8],
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
      buffer.put("}}")
      let next = index + 1 < series.frames.count ? series.frames[index + 1].begin : nil
      if let end = frame.end ?? next, end >= frame.begin {
        begin(#"{"ph":"C","cat":"frame","name":"#)
        buffer.put(counter)
        buffer.put(place)
        buffer.putMicroseconds(frame.begin - zero)
        buffer.put(#","args":{"ms":"#)
        // Milliseconds with six decimals: a thousandth of the microseconds.
        let duration = end - frame.begin
        buffer.putInteger(duration / 1_000_000)
        buffer.put(Array(".\(String(1_000_000 + duration % 1_000_000).dropFirst())".utf8))
        buffer.put("}}")
      }
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  private mutating func putMarkers<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for marker in trace.markers where isInRange(marker.time) {
      if marker.track == nil {
        begin(#"{"ph":"i","s":"g","#)
      } else {
        begin(#"{"ph":"i","s":"t","#)
      }
      buffer.put(sites[Int(marker.site.index)])
      buffer.put(place(of: marker.track ?? 0))
      buffer.putMicroseconds(marker.time - zero)
      buffer.put("}")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  /// Gives the number of values that JSON has no way to say.
  private mutating func putCounters<E: Error>(
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

extension Trace {
  /// The series that gets scopes: the one that was asked for, else the one with most frames.
  func exportedSeries(_ options: ExportOptions) -> Int? {
    if let series = options.series { return frameSeries.indices.contains(series) ? series : nil }
    var longest: Int?
    for index in frameSeries.indices
    where longest.map({ frameSeries[$0].frames.count < frameSeries[index].frames.count }) ?? true {
      longest = index
    }
    return longest
  }

  /// What is taken from every time so that none is below 0.
  func exportedZero(_ options: ExportOptions) -> Int64 {
    if let range = options.range { return min(0, range.lowerBound) }
    var zero: Int64 = 0
    for track in tracks where !track.spans.isEmpty {
      zero = min(zero, spans.start[track.spans.lowerBound])
    }
    zero = min(zero, markers.first?.time ?? 0)
    for counter in counters { zero = min(zero, counter.times.first ?? 0) }
    for series in frameSeries { zero = min(zero, series.frames.map(\.begin).min() ?? 0) }
    return zero
  }
}
