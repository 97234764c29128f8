internal import FlamelarkFormat

/// Makes a trace from the chunks of a recording.
struct Reading {
  let header: FileHeader
  var ending: Trace.Ending?
  var issues: [Trace.Issue] = []
  /// What a live file holds of spans around `await` that have not ended.
  var openTaskSpans: [RecordedEvents.OpenTaskSpan] = []

  init(header: FileHeader) { self.header = header }

  /// Times are CLOCK_MONOTONIC until the last step, which moves them to the first event.
  mutating func trace(_ chunks: Chunks, slots: [LiveSlot]) -> Trace {
    issues += chunks.issues
    var definitions = DefinitionTable(chunks.definitions)
    definitions.add(slots)
    let map = TickMap(header: header, anchors: chunks.anchors + definitions.anchors)
    var trace = Trace()
    let sites = SiteTable(definitions, into: &trace)

    var events = RecordedEvents()
    let unpacker = Unpacker()
    let threads = threads(chunks.events, slots: slots, with: unpacker, map: map, events: &events)
    var line = TickMap.Line()
    events.add(open: Array(Set(definitions.openTaskSpans + openTaskSpans))) { tick in
      map(tick, on: &line)
    }
    let cutShort = threads.values.reduce(0) { $0 + $1.cutShort }
    if cutShort > 0 {
      issues.append(
        Trace.Issue("packed chunks read up to where they make no sense", count: cutShort))
    }

    // The spans are written with their final times, if nothing begins before what is seen here.
    var hint = 0
    let firstTick = threads.values.reduce(UInt64.max) {
      min($0, $1.likelyFirstTick(with: unpacker))
    }
    var last = lastTick(threads, events, definitions)
    if !events.openTaskSpans.isEmpty, definitions.end == nil, definitions.recovered == nil {
      // What has not ended goes on to the very end, which spans with records may be.
      for thread in threads.values { last = max(last, thread.lastTick(with: unpacker)) }
    }
    func siteName(_ site: UInt32) -> String {
      trace.names[trace.callSites[Int(sites[site].index)].name]
    }
    let end = map(last, near: &hint)
    let tracks = TrackRows(
      events, from: header.start.monotonic.plausibleTime, to: end, name: siteName)
    let zero = min(
      firstTick == .max ? .max : map(max(firstTick, header.start.tick), near: &hint),
      events.earliest, tracks.earliest)
    var writer = TrackWriter(
      header: header, definitions: definitions, sites: sites, map: map,
      zero: zero == .max ? 0 : zero)
    let tasks = TaskRows(events, end: end, name: siteName)
    let rows = writer.write(
      threads, events: events, loose: tasks.groups + tracks.groups, lastTick: last, with: unpacker,
      to: &trace)
    let taskSpanPlaces = tasks.link(
      events, places: writer.placesOfGroups, rows: rows, in: &trace)
    trace.deviceClocks = tracks.clocks
    issues.merge(writer.issues)
    issues += tracks.issues
    var frames = FrameCollector(definitions: definitions, sites: sites, rows: rows)
    let series = frames.collect(events, into: &trace)
    issues += frames.issues
    var links = LinkCollector(
      sites: sites, rows: rows, zero: writer.times.zero, taskSpanPlaces: taskSpanPlaces)
    links.collect(events, frames: frames, into: &trace)
    issues += links.issues
    var states = ThreadStateCollector(rows: rows)
    trace.threadStates = states.collect(events.threadStates)
    issues += states.issues
    addMoments(events, sites: sites, rows: rows, to: &trace)
    addActivities(
      events, sites: sites, series: series, end: map(writer.lastTick, near: &hint), to: &trace)
    describe(definitions, hasEvents: events, map: map, in: &trace)
    trace.rebase(realtime: realtimeOffset(definitions), spans: writer.times)
    trace.issues = issues
    return trace
  }

  /// The last tick that anything but spans with a record says.
  private func lastTick(
    _ threads: [UInt32: ThreadRecords], _ events: RecordedEvents, _ definitions: DefinitionTable
  ) -> UInt64 {
    var last = max(header.start.tick, events.lastTick)
    for thread in threads.values { last = max(last, thread.lastFoldTick) }
    last = max(last, definitions.end ?? definitions.recovered ?? 0)
    for span in events.open.values.joined() { last = max(last, span.start, span.end) }
    for fold in events.folds.values.joined() { last = max(last, fold.end) }
    return last
  }

  /// The last tick that anything says, of chunks that are not read further.
  func lastTick(_ chunks: Chunks, slots: [LiveSlot]) -> UInt64 {
    let definitions = DefinitionTable(chunks.definitions)
    let map = TickMap(header: header, anchors: [])
    var events = RecordedEvents()
    let unpacker = Unpacker()
    let threads = threads(chunks.events, slots: slots, with: unpacker, map: map, events: &events)
    return threads.values.reduce(lastTick(threads, events, definitions)) {
      max($0, $1.lastTick(with: unpacker))
    }
  }

  /// Finds the records of each thread that has some, with what its slots hold beside them.
  private func threads(
    _ chunks: [Chunk], slots: [LiveSlot], with unpacker: Unpacker, map: TickMap,
    events: inout RecordedEvents
  ) -> [UInt32: ThreadRecords] {
    // What a slot holds was never sealed: the recording is not that old.
    let sealed = chunks.map { chunk in
      var chunk = chunk
      if chunk.lastTick == 0 {
        chunk.lastTick = header.start.tick | ((1 << EventRecord.tickBits) - 1)
      }
      return chunk
    }
    let byThread = Dictionary(grouping: sealed) { $0.threadKey }
    let keys = Set(byThread.keys).union(slots.map(\.threadKey).filter { $0 != 0 })
    var threads: [UInt32: ThreadRecords] = [:]
    var line = TickMap.Line()
    for key in keys.sorted() {
      threads[key] = ThreadRecords(byThread[key] ?? [], with: unpacker) { record, chunk, tick in
        events.add(record, of: chunk, tick: tick) { tick in map(tick, on: &line) }
      }
    }
    addOpenSpans(of: slots, to: &events)
    for key in keys {
      threads[key]?.add(open: events.open[key] ?? [])
      threads[key]?.pendingFolds = events.folds[key] ?? []
    }
    return threads
  }

  /// Spans that were open when the program was killed, or are open now in one that runs.
  private func addOpenSpans(of slots: [LiveSlot], to events: inout RecordedEvents) {
    for slot in slots where !slot.folds.isEmpty {
      events.folds[slot.threadKey, default: []] += slot.folds
    }
    for slot in slots {
      for span in slot.openSpans {
        events.open[slot.threadKey, default: []].append(
          RecordedEvents.OpenSpan(start: span.start, site: span.site, depth: span.depth, end: 0))
      }
    }
  }

  private func addMoments(
    _ events: RecordedEvents, sites: SiteTable, rows: [UInt32: Int], to trace: inout Trace
  ) {
    trace.markers = events.markers.sorted { $0.time < $1.time }.map {
      Trace.Marker(time: $0.time, site: sites[$0.site], track: rows[$0.threadKey])
    }
    let byName = Dictionary(grouping: events.counters) {
      trace.callSites[Int(sites[$0.site].index)].name
    }
    for (name, values) in byName.sorted(by: { $0.key < $1.key }) {
      var counter = Trace.Counter(name: name)
      for value in values.sorted(by: { $0.time < $1.time }) {
        counter.times.append(value.time)
        counter.values.append(Double(value.value))
      }
      trace.counters.append(counter)
    }
  }

  private func addActivities(
    _ events: RecordedEvents, sites: SiteTable, series: [UInt32: Int], end: Int64,
    to trace: inout Trace
  ) {
    for begin in events.activityBegins.sorted(by: { $0.time < $1.time }) {
      let known = events.activityEnds[begin.number]
      var activity = Trace.Activity(
        name: trace.callSites[Int(sites[begin.site].index)].name,
        range: begin.time..<max(begin.time, known ?? end), series: series[begin.series])
      activity.isUnfinished = known == nil
      trace.activities.append(activity)
    }
  }

  private mutating func describe(
    _ definitions: DefinitionTable, hasEvents events: RecordedEvents, map: TickMap,
    in trace: inout Trace
  ) {
    trace.source.kind = .flamelark
    trace.source.processID = Int64(header.processID)
    trace.source.maximumDepth = Int(header.maximumDepth)
    trace.source.minimumDuration = Int64(clamping: header.minimumDuration)
    trace.source.filters = FilterList(definitions, header: header, map: map).filters
    trace.modules = definitions.modules(on: map)
    for (name, value) in definitions.properties {
      trace.source.properties[definitions.strings[name] ?? ""] = definitions.strings[value] ?? ""
    }
    // What stopping in order could not write is still in the live file.
    trace.source.ending = definitions.end == nil ? ending ?? .killed : .stopped
    if definitions.end == nil, definitions.recovered == nil, ending == nil {
      issues.append(
        Trace.Issue("end of the recording missing, and no live file beside it", count: 1))
    }
    if events.unknown > 0 {
      issues.append(
        Trace.Issue("records of kinds that this version doesn't know", count: events.unknown))
    }
    issues.merge(definitions.lossIssues)
  }

  /// CLOCK_REALTIME less CLOCK_MONOTONIC, as last read.
  private func realtimeOffset(_ definitions: DefinitionTable) -> Int64? {
    let read = definitions.anchors.last { $0.realtime != 0 } ?? header.start
    return read.realtime == 0 ? nil : read.realtime &- read.monotonic
  }
}

extension [Trace.Issue] {
  /// Adds issues; those of one text become one.
  mutating func merge(_ others: [Trace.Issue]) {
    for other in others {
      if let known = firstIndex(where: { $0.text == other.text }) {
        self[known].count += other.count
      } else {
        append(other)
      }
    }
  }
}
