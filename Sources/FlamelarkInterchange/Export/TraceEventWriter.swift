internal import FlamelarkTrace

/// Writes one file of Trace Event JSON. What it writes is in the extensions, a topic a file.
struct TraceEventWriter: ~Copyable {
  let trace: Trace
  let options: ExportOptions
  let threads: ExportedThreads
  /// The series whose frames get scopes.
  let series: Int?
  /// What is taken from every time: the trace's axis stays, unless it begins below 0.
  let zero: Int64
  var buffer = JSONBuffer()
  private var isFirst = true
  /// `"cat":"…","name":"…",` of each call site, made once.
  let sites: [[UInt8]]
  /// `"…",` of the name of each call site.
  let siteNames: [[UInt8]]
  /// The next number that nothing asynchronous has. Rows have those from 1 on.
  var nextIdentifier: UInt64
  var flowNumbers: FlowNumbers

  init(_ trace: Trace, _ options: ExportOptions) {
    self.trace = trace
    self.options = options
    threads = ExportedThreads(of: trace.tracks)
    series = trace.exportedSeries(options)
    zero = trace.exportedZero(options)
    nextIdentifier = UInt64(trace.tracks.count) + 1
    flowNumbers = FlowNumbers(of: trace.flows.map(\.number))
    siteNames = trace.callSites.map { site in
      let name = trace.names[site.name]
      return JSONBuffer.quoted(name.isEmpty ? "(unnamed)" : name) + [UInt8(ascii: ",")]
    }
    sites = zip(trace.callSites, siteNames).map { site, name in
      let category = site.category.map { trace.names[$0] } ?? ""
      return Array("\"cat\":".utf8) + JSONBuffer.quoted(category.isEmpty ? "span" : category)
        + Array(",\"name\":".utf8) + name
    }
  }

  mutating func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    var summary = ExportSummary(
      depthLimit: TraceEventExport.depthLimit,
      comfortableSlices: TraceEventExport.comfortableSlices)
    putHeader()
    try unsafe putNames(to: sink)
    let scopes = FrameScopes(of: series.map { trace.frameSeries[$0] }, in: trace)
    summary.frameScopes = scopes.count
    summary.framesWithoutScope = scopes.omitted
    var taskSpans = trace.taskSpans[...]
    for track in trace.tracks.indices {
      let walk = TrackWalk(
        trace: trace, track: track, frames: scopes.byTrack[track] ?? [], range: options.range,
        isNudging: true, depthLimit: summary.depthLimit)
      summary.tracks.append(
        trace.tracks[track].kind == .task
          ? try unsafe putTask(walk, &taskSpans, to: sink)
          : try unsafe putThread(walk, to: sink))
    }
    try unsafe putFrames(to: sink)
    summary.hitches = try unsafe putHitches(to: sink)
    try unsafe putMarkers(to: sink)
    try unsafe putStages(to: sink)
    try unsafe putValues(to: sink)
    try unsafe putFlows(to: sink, &summary)
    try unsafe putWaits(to: sink, &summary)
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
  private mutating func putNames<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
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
      // A task is no thread: its row is told from others by its id.
      if track.kind == .task { continue }
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
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
  }

  // MARK: Events

  /// Begins an event, on a line of its own.
  @inline(__always) mutating func begin(_ text: StaticString) {
    if isFirst { isFirst = false } else { buffer.put(",\n") }
    buffer.put(text)
  }

  /// `"pid":…,"tid":…,"ts":` of a row.
  func place(of track: Int, withTime: Bool = true) -> [UInt8] {
    let row =
      threads.rows.indices.contains(track) ? threads.rows[track] : .init(process: 1, thread: 1)
    return Array(
      "\"pid\":\(row.process),\"tid\":\(row.thread)\(withTime ? ",\"ts\":" : "")".utf8)
  }

  func isInRange(_ time: Int64) -> Bool { options.range?.contains(time) ?? true }

  private mutating func putThread<E: Error>(
    _ walk: TrackWalk, to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary.Track {
    let place = place(of: walk.track)
    return try walk.run { (step, label, time, _) throws(E) in
      put(step, label, time, place)
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
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
}
