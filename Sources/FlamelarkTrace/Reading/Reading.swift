internal import FlamelarkFormat

/// Makes a trace from the chunks of a recording.
struct Reading {
  let header: FileHeader
  var ending: Trace.Ending?
  var issues: [Trace.Issue] = []

  init(header: FileHeader) { self.header = header }

  /// Times are CLOCK_MONOTONIC until the last step, which moves them to the first event.
  mutating func trace(_ chunks: Chunks, slots: [LiveSlot]) -> Trace {
    issues += chunks.issues
    var definitions = DefinitionTable(chunks.definitions)
    definitions.add(slots)
    let map = TickMap(header: header, anchors: chunks.anchors + definitions.anchors)
    var trace = Trace()
    let sites = SiteTable(definitions, into: &trace)

    var hint = 0
    var events = RecordedEvents()
    var lastTick = header.start.tick
    let chunks = chunks.events.map { chunk in
      var chunk = chunk
      // What a slot holds was never sealed: the recording is not that old.
      if chunk.lastTick == 0 {
        chunk.lastTick = header.start.tick | ((1 << EventRecord.tickBits) - 1)
      }
      return chunk
    }
    chunks.forEach { chunk in
      var cursor = unsafe EventCursor(chunk.bytes)
      while cursor.advance() {
        let tick = chunk.tick(cursor.word0)
        if cursor.isSpan {
          lastTick = max(lastTick, tick &+ cursor.word1 >> 32)
          continue
        }
        lastTick = max(lastTick, cursor.kind == .longSpan ? tick &+ cursor.word(2) : tick)
        events.add(cursor, of: chunk, at: map(tick, near: &hint), tick: tick) { tick in
          var hint = 0
          return map(tick, near: &hint)
        }
      }
    }
    if let end = definitions.end { lastTick = max(lastTick, end) }
    addOpenSpans(of: slots, to: &events)
    for span in events.open.values.joined() { lastTick = max(lastTick, span.start, span.end) }
    for fold in events.folds.values.joined() { lastTick = max(lastTick, fold.end) }

    let rows = addTracks(
      chunks, events: events, definitions: definitions, sites: sites, map: map,
      lastTick: lastTick, to: &trace)
    var frames = FrameCollector(definitions: definitions, sites: sites, rows: rows)
    let series = frames.collect(events, into: &trace)
    issues += frames.issues
    addMoments(events, sites: sites, rows: rows, to: &trace)
    addActivities(
      events, sites: sites, series: series, end: map(lastTick, near: &hint), to: &trace)
    describe(definitions, hasEvents: events, map: map, in: &trace)
    trace.rebase(realtime: realtimeOffset(definitions))
    trace.issues = issues
    return trace
  }

  /// Spans that were open when the program was killed, or are open now in one that runs. The kill
  /// may fall between a span's record and its leaving the stack: then the record has it.
  private func addOpenSpans(of slots: [LiveSlot], to events: inout RecordedEvents) {
    for slot in slots where !slot.folds.isEmpty {
      events.folds[slot.threadKey, default: []] += slot.folds
    }
    for slot in slots where !slot.openSpans.isEmpty {
      var last: (tick: UInt64, depth: UInt8)?
      var cursor = unsafe EventCursor(slot.records)
      while cursor.advance() {
        last = (cursor.word0 >> 8, UInt8(truncatingIfNeeded: cursor.word0))
      }
      for span in slot.openSpans {
        let low = span.start & ((1 << EventRecord.tickBits) - 1)
        if let last, last.tick == low, last.depth == span.depth { continue }
        events.open[slot.threadKey, default: []].append(
          RecordedEvents.OpenSpan(start: span.start, site: span.site, depth: span.depth, end: 0))
      }
    }
  }

  private mutating func addTracks(
    _ chunks: [Chunk], events: RecordedEvents, definitions: DefinitionTable, sites: SiteTable,
    map: TickMap, lastTick: UInt64, to trace: inout Trace
  ) -> [UInt32: Int] {
    let byThread = Dictionary(grouping: chunks) { $0.threadKey }
    let detached = Dictionary(grouping: events.detached) { $0.threadKey }
    let keys = Set(byThread.keys).union(definitions.threads.keys).union(detached.keys)
      .union(events.open.keys).union(events.folds.keys)
    var rows: [UInt32: Int] = [:]
    for key in keys.sorted() {
      let thread = definitions.threads[key] ?? DefinitionTable.Thread()
      let name = definitions.strings[thread.name] ?? ""
      var spans = ThreadSpans(
        chunks: byThread[key] ?? [], open: events.open[key] ?? [], folds: events.folds[key] ?? [],
        firstTick: header.start.tick, lastTick: lastTick)
      let base = trace.spans.count
      spans.append(to: &trace.spans, track: trace.tracks.count, sites: sites, map: map)
      trace.folded += spans.folded
      issues.merge(spans.issues)
      var track = Trace.Track(
        kind: .thread, name: name.isEmpty ? "thread \(thread.systemID)" : name,
        processID: Int64(header.processID), threadID: Int64(thread.systemID),
        spans: base..<trace.spans.count)
      track.counts = counts(thread.counts)
      rows[key] = trace.tracks.count
      trace.tracks.append(track)
      if let lanes = detached[key] { addLanes(lanes, of: track, sites: sites, to: &trace) }
    }
    return rows
  }

  private func counts(_ counts: [UInt64]) -> Trace.TrackCounts {
    var result = Trace.TrackCounts()
    guard counts.count == 5 else { return result }
    result.overDepth = counts[0]
    result.belowMinimum = counts[1]
    result.belowMinimumTime = Int64(
      min(Double(counts[2]) / Double(header.ticksPerSecond) * 1e9, 0x1p60))
    result.detached = counts[3]
    result.lost = counts[4]
    return result
  }

  /// Spans that left the stack of a thread, on as few rows as keep them apart.
  private func addLanes(
    _ spans: [RecordedEvents.DetachedSpan], of thread: Trace.Track, sites: SiteTable,
    to trace: inout Trace
  ) {
    var lanes: [[RecordedEvents.DetachedSpan]] = []
    let spans = spans.sorted { ($0.start, $1.end, $0.site) < ($1.start, $0.end, $1.site) }
    // A span's row is free again when it ends; both orders of time are gone through once.
    let byEnd = spans.indices.sorted { spans[$0].end < spans[$1].end }
    var laneOfSpan = Array(repeating: 0, count: spans.count)
    var free: [Int] = []
    var ended = 0
    for (index, span) in spans.enumerated() {
      while ended < byEnd.count, byEnd[ended] < index, spans[byEnd[ended]].end <= span.start {
        free.append(laneOfSpan[byEnd[ended]])
        ended += 1
      }
      if let lane = free.popLast() {
        laneOfSpan[index] = lane
        lanes[lane].append(span)
      } else {
        laneOfSpan[index] = lanes.count
        lanes.append([span])
      }
    }
    for (number, lane) in lanes.enumerated() {
      let base = trace.spans.count
      for span in lane {
        trace.spans.append(
          start: span.start, end: max(span.start, span.end), site: sites[span.site],
          parent: Trace.Spans.none)
      }
      trace.tracks.append(
        Trace.Track(
          kind: .lane, name: "\(thread.name), spans that left the stack, row \(number + 1)",
          processID: thread.processID, threadID: thread.threadID, spans: base..<trace.spans.count))
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
    for (name, value) in definitions.properties {
      trace.source.properties[definitions.strings[name] ?? ""] = definitions.strings[value] ?? ""
    }
    trace.source.ending = ending ?? (definitions.end == nil ? .killed : .stopped)
    if definitions.end == nil, ending == nil {
      issues.append(
        Trace.Issue("end of the recording missing, and no live file beside it", count: 1))
    }
    if events.unknown > 0 {
      issues.append(
        Trace.Issue("records of kinds that this version doesn't know", count: events.unknown))
    }
    for loss in definitions.losses {
      let what =
        switch DefinitionRecord.LossReason(rawValue: loss.reason) {
        case .writeFailed: "records lost because the trace file could not be written"
        case .noSlot: "threads not recorded because there was no space for their slot"
        case .tooManyCallSites: "call sites lost because ids ran out"
        case .sizeLimit: "recordings that ended at the size they might have"
        case nil: "losses of a kind that this version doesn't know"
        }
      issues.append(
        Trace.Issue("\(what) (error \(loss.errno))", count: max(1, Int(clamping: loss.count))))
    }
    let lost = trace.tracks.reduce(UInt64(0)) { $0 &+ $1.counts.lost }
    if lost > 0 {
      issues.append(
        Trace.Issue(
          "records lost because the trace file could not be written", count: Int(clamping: lost)))
    }
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
