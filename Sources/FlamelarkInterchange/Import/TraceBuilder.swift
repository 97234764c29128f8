internal import FlamelarkTrace

/// Makes a trace of what the scanner collected.
struct TraceBuilder {
  let text: ScanText
  let scanner: EventScanner
  var pairing: SpanPairing
  let times: EventTimes
  let keys: [ThreadTable.Key]
  let mapping: [UInt32]
  var order = StableOrder()
  var trace = Trace()
  /// The call site of each raw name, made when it is first used.
  private var sites: [CallSiteID?]
  private var unnamedSite: CallSiteID?
  /// The row of each thread.
  var trackOf: [Int?]
  /// Numbers for processes and threads that have only a text.
  private var numbersOfTexts: [Identity: Int64] = [:]
  /// The least number in use.
  private var leastNumber: Int64
  /// The rows of the tasks of our own export, by their ids.
  var rowsOfTasks: [UInt32: Int] = [:]
  /// Where asynchronous spans began and ended: indices of events.
  var asyncSpans: [(span: Int, begin: UInt32, end: UInt32)] = []

  init(_ scanner: consuming EventScanner) {
    times = EventTimes(events: scanner.events, samples: scanner.samples)
    (keys, mapping) = scanner.threads.resolved()
    leastNumber = keys.flatMap { [$0.process, $0.thread] }.filter { $0.kind == .number }
      .reduce(0) { min($0, $1.value) }
    text = scanner.text
    let events = scanner.events
    scanner.events = []
    pairing = SpanPairing(
      events: events, issues: scanner.issues, nameCount: scanner.names.ranges.count)
    sites = [CallSiteID?](repeating: nil, count: scanner.names.ranges.count)
    trackOf = [Int?](repeating: nil, count: keys.count)
    self.scanner = scanner
  }

  mutating func build() -> Trace {
    trace.source.kind = .traceEvent
    trace.range = 0..<times.length
    if times.rogueCount > 0 {
      pairing.issues.add(.rogueTimes, at: times.firstRogue, count: times.rogueCount)
    }
    addTracks()
    addTaskSpans()
    addFlows()
    addMarkers()
    addCounters()
    addProperties()
    if trace.spans.count == 0 { pairing.issues.add(.noScopes, at: nil) }
    trace.issues = pairing.issues.list
    return trace
  }

  // MARK: Rows

  private mutating func addTracks() {
    // Indices of span events, grouped by thread, in the order of the file.
    var loads = [ThreadLoad](repeating: ThreadLoad(), count: keys.count)
    for index in pairing.events.indices {
      loads[Int(mapping[Int(pairing.events[index].thread)])].add(pairing.events[index])
    }
    let texts = nameTexts()
    // Flows need the row of their thread, asynchronous spans have it where it has a name.
    for flow in scanner.flows where flow.row == RawNameTable.none {
      loads[Int(mapping[Int(flow.thread)])].hasEvents = true
    }
    for (_, thread) in scanner.asyncs.threads where texts[Int(mapping[Int(thread)])] != nil {
      loads[Int(mapping[Int(thread)])].hasEvents = true
    }
    var first = 0
    for thread in keys.indices {
      loads[thread].range = first..<first
      first += loads[thread].spanEvents
    }
    var indices = [UInt32](repeating: 0, count: first)
    for index in pairing.events.indices where pairing.events[index].phase != .instant {
      let thread = Int(mapping[Int(pairing.events[index].thread)])
      let next = loads[thread].range.upperBound
      indices[next] = UInt32(index)
      loads[thread].range = loads[thread].range.lowerBound..<next + 1
    }
    trace.spans.reserveCapacity(indices.count)
    var nesting = SpanNesting()
    var asyncRows: [AsyncRow] = []
    for thread in threadOrder() where loads[thread].hasEvents {
      let isAsync = keys[thread].thread.kind == .async
      if let last = asyncRows.last, !isAsync || keys[last.thread].process != keys[thread].process {
        addPacked(&asyncRows)
      }
      if isAsync {
        addAsync(thread, loads[thread], &indices, &asyncRows)
      } else {
        addTrack(thread, loads[thread], &indices, &nesting, name: texts[thread])
      }
    }
    addPacked(&asyncRows)
  }

  /// What a thread has to nest.
  struct ThreadLoad {
    var hasEvents = false
    var spanEvents = 0
    var complete = 0
    /// Its last moment.
    var end = Int64.min
    /// Its part of the indices.
    var range = 0..<0

    mutating func add(_ event: ScannedEvent) {
      hasEvents = true
      if event.phase == .instant { return }
      spanEvents += 1
      if event.phase == .complete { complete += 1 }
      end = max(end, event.end == ScannedEvent.unfinished ? event.start : event.end)
    }
  }

  private mutating func addTrack(
    _ thread: Int, _ load: ThreadLoad, _ indices: inout [UInt32], _ nesting: inout SpanNesting,
    name: String?
  ) {
    let key = keys[thread]
    let range = load.range
    trackOf[thread] = trace.tracks.count
    let processID = number(of: key.process)
    let threadID = number(of: key.thread)
    let title = name ?? plainName(of: key.thread)
    func add(_ row: SpanRow, _ kind: Trace.Track.Kind, _ name: String) {
      var track = Trace.Track(
        kind: kind, name: name, processID: processID, threadID: threadID)
      track.spans = append(row)
      trace.tracks.append(track)
    }
    if load.complete == 0 {
      pairing.run(&indices, in: range, order: &order)
      pairing.endUnfinished(at: load.end)
      add(pairing.row, .thread, title)
      return
    }
    var rest = range
    if load.complete < range.count {
      // Begins and ends first: each begin gets its end, then it is nested like the others.
      var pairs = indices[range].filter { pairing.events[Int($0)].phase != .complete }
      pairing.run(&pairs, in: 0..<pairs.count, order: &order)
      let spans = indices[range].filter { pairing.events[Int($0)].phase != .end }
      rest = range.lowerBound..<range.lowerBound + spans.count
      indices.replaceSubrange(rest, with: spans)
    }
    nesting.run(
      &indices, in: rest, events: pairing.events, threadEnd: load.end, order: &order,
      issues: &pairing.issues)
    add(nesting.main, .thread, title)
    for lane in 0..<nesting.laneCount {
      let suffix = lane == 0 ? "(overlapping)" : "(overlapping \(lane + 1))"
      add(nesting.lanes[lane], .lane, "\(title) \(suffix)")
    }
  }

  /// Puts a row's spans behind those of the trace.
  mutating func append(_ row: SpanRow) -> Range<Int> {
    let first = trace.spans.count
    let zero = times.zero
    trace.spans.start.append(contentsOf: row.start.lazy.map { $0 - zero })
    trace.spans.end.append(contentsOf: row.end.lazy.map { $0 - zero })
    trace.spans.parent.append(
      contentsOf: row.parent.lazy.map { $0 == Trace.Spans.none ? $0 : $0 + UInt32(first) })
    for name in row.name { trace.spans.site.append(site(of: name, offset: nil)) }
    for span in row.unfinished { trace.spans.unfinished.append(first + span) }
    return first..<trace.spans.count
  }

  // MARK: Markers and counters

  private mutating func addMarkers() {
    var indices: [UInt32] = []
    for (index, event) in pairing.events.enumerated() where event.phase == .instant {
      indices.append(UInt32(index))
    }
    order.sort(&indices, in: indices.indices) { pairing.events[Int($0)].start.orderKey }
    trace.markers.reserveCapacity(indices.count)
    for index in indices {
      let event = pairing.events[Int(index)]
      let track = event.flags.contains(.isGlobal) ? nil : trackOf[Int(mapping[Int(event.thread)])]
      trace.markers.append(
        Trace.Marker(
          time: event.start - times.zero, site: site(of: event.name, offset: event.offset),
          track: track))
    }
  }

  private mutating func addCounters() {
    let first = trace.counters.count
    let names = CounterNames(scanner)
    for counter in scanner.counterKeys.indices {
      trace.counters.append(Trace.Counter(name: trace.names.intern(names.text(of: counter))))
    }
    var indices = scanner.samples.indices.map { UInt32($0) }
    order.sort(&indices, in: indices.indices) { scanner.samples[Int($0)].time.orderKey }
    for index in indices {
      let sample = scanner.samples[Int(index)]
      trace.counters[first + sample.counter].times.append(sample.time - times.zero)
      trace.counters[first + sample.counter].values.append(sample.value)
    }
  }

  // MARK: Names

  mutating func site(of name: UInt32, offset: Int?) -> CallSiteID {
    guard name != RawNameTable.none else {
      pairing.issues.add(.noName, at: offset)
      if let unnamedSite { return unnamedSite }
      let site = newSite("(unnamed)")
      unnamedSite = site
      return site
    }
    if let known = sites[Int(name)] { return known }
    let site = newSite(mended(scanner.names.ranges[Int(name)]))
    sites[Int(name)] = site
    return site
  }

  private mutating func newSite(_ name: String) -> CallSiteID {
    let name = trace.names.intern(name.isEmpty ? "(unnamed)" : name)
    trace.callSites.append(Trace.CallSite(name: name))
    return CallSiteID(UInt32(trace.callSites.count - 1))
  }

  /// The text of a name, counted if it had to be mended.
  mutating func mended(_ range: Range<Int>) -> String {
    let (string, isMended) = text.string(range)
    if isMended { pairing.issues.add(.mendedNames, at: range.lowerBound) }
    return string
  }

  /// The names that metadata gives to threads.
  private mutating func nameTexts() -> [String?] {
    var result = [String?](repeating: nil, count: keys.count)
    // The last one in the file counts, also of two keys that became one.
    let inFileOrder = scanner.threadNames.sorted { $0.value.lowerBound < $1.value.lowerBound }
    for (thread, range) in inFileOrder {
      let name = mended(range).prefix { $0 != "\0" }
      if !name.isEmpty { result[Int(mapping[Int(thread)])] = String(name) }
    }
    return result
  }

  private func plainName(of thread: Identity) -> String {
    switch thread.kind {
    case .text:
      let name = text.string(scanner.names.ranges[Int(thread.value)]).text
      return name.isEmpty ? "thread without a name" : name
    case .number, .missing, .async: return "thread \(thread.value)"
    }
  }

  /// Numbers stay; a text gets a negative number of its own.
  mutating func number(of identity: Identity) -> Int64 {
    guard identity.kind == .text else { return identity.value }
    if let known = numbersOfTexts[identity] { return known }
    let number = leastNumber &- 1
    leastNumber = number
    numbersOfTexts[identity] = number
    return number
  }

  /// Threads by their process and number, texts last in the order of the file.
  private func threadOrder() -> [Int] {
    func isBefore(_ a: Identity, _ b: Identity) -> Bool? {
      a == b ? nil : (a.kind.rawValue, a.value) < (b.kind.rawValue, b.value)
    }
    return keys.indices.sorted { a, b in
      isBefore(keys[a].process, keys[b].process) ?? isBefore(keys[a].thread, keys[b].thread)
        ?? (a < b)
    }
  }

  private mutating func addProperties() {
    for (key, value) in scanner.properties {
      trace.source.properties[text.string(key).text] = text.string(value).text
    }
    let inFileOrder = scanner.processNames.sorted { $0.value.lowerBound < $1.value.lowerBound }
    let processes = Set(trace.tracks.map(\.processID))
    if processes.count == 1 { trace.source.processID = processes.first }
    for (process, range) in inFileOrder {
      let known = process.kind == .missing ? processes.first ?? 0 : number(of: process)
      let name = mended(range).prefix { $0 != "\0" }
      trace.source.properties["process \(known)"] = String(name)
    }
    if let epoch = trace.source.properties[ExportedKey.wallClockZero].flatMap(Int64.init) {
      let (sum, overflow) = epoch.addingReportingOverflow(times.zero)
      if !overflow { trace.wallClockZero = sum }
    }
  }
}

/// What our own exports say about themselves.
enum ExportedKey {
  static let wallClockZero = "wall_clock_zero_ns"
}
