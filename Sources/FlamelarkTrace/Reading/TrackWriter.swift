internal import FlamelarkFormat

/// Writes the rows of a trace and their spans.
struct TrackWriter {
  /// The first and the last time of the spans, on a clock that has its 0 at `zero`.
  struct Times {
    var zero: Int64
    var first = Int64.max
    var last = Int64.min

    mutating func include(_ start: Int64, _ end: Int64) {
      first = min(first, start)
      last = max(last, end)
    }
  }

  private let header: FileHeader
  private let definitions: DefinitionTable
  private let sites: SiteTable
  private let map: TickMap
  private let zero: Int64
  /// How many spans are written.
  private var count = 0
  private(set) var times: Times
  /// The last tick that anything says.
  private(set) var lastTick: UInt64 = 0
  private(set) var issues: [Trace.Issue] = []

  /// Spans that are on no thread's stack and belong together.
  struct LooseGroup {
    var kind: Trace.Track.Kind
    var name: String
    var threadID: Int64 = 0
    /// Times are CLOCK_MONOTONIC. With their number in what the reader collected.
    var spans: [LooseRows.Span]
  }

  /// Where the spans of each group are among the trace's.
  private(set) var placesOfGroups: [[Int]] = []

  /// `map` gives CLOCK_MONOTONIC; the times of the spans begin at its `zero`.
  init(
    header: FileHeader, definitions: DefinitionTable, sites: SiteTable, map: TickMap, zero: Int64
  ) {
    self.header = header
    self.definitions = definitions
    self.sites = sites
    self.map = map.starting(at: zero)
    self.zero = zero
    times = Times(zero: zero)
  }

  /// Writes all rows. `lastTick` is the last tick that anything but spans with a record says.
  ///
  /// - Returns: From the recorder's key of a thread to its row.
  mutating func write(
    _ threads: [UInt32: ThreadRecords], events: RecordedEvents, loose: [LooseGroup],
    lastTick: UInt64, with unpacker: Unpacker, to trace: inout Trace
  ) -> [UInt32: Int] {
    let detached = Dictionary(grouping: events.detached) { $0.threadKey }
    let keys = Set(threads.keys).union(definitions.threads.keys).union(detached.keys)
    var rows: [UInt32: Int] = [:]
    var unfinished: [Int] = []
    self.lastTick = lastTick
    let looseCount = loose.reduce(events.detached.count) { $0 + $1.spans.count }
    let total = threads.values.reduce(looseCount) { $0 + $1.count }
    trace.folded.reserveCapacity(threads.values.reduce(0) { $0 + $1.foldCount })
    trace.spans = Trace.Spans(count: total) { columns in
      var sound = SoundPlacer(
        into: columns, sites: sites, map: map, firstTick: header.start.tick, unpacker: unpacker)
      defer { sound.deallocate() }
      var unended: [Unended] = []
      for key in keys.sorted() {
        let thread = definitions.threads[key] ?? DefinitionTable.Thread()
        let name = definitions.strings[thread.name] ?? ""
        let base = count
        if let records = threads[key] {
          let firstSum = trace.folded.count
          let placed = place(records, in: &trace, columns, with: &sound, unpacker)
          unfinished += placed.unfinished
          if !placed.unended.isEmpty {
            unended.append(
              Unended(places: Set(placed.unended), sums: firstSum..<trace.folded.count))
          }
        }
        var track = Trace.Track(
          kind: .thread, name: name.isEmpty ? "thread \(thread.systemID)" : name,
          processID: Int64(header.processID), threadID: Int64(thread.systemID), spans: base..<count)
        track.counts = counts(thread.counts)
        rows[key] = trace.tracks.count
        trace.tracks.append(track)
        if let lanes = detached[key] { addLanes(lanes, of: track, into: columns, to: &trace) }
      }
      for group in loose { placesOfGroups.append(add(group, into: columns, to: &trace)) }
      end(unended, into: columns, of: &trace)
    }
    trace.spans.unfinished = unfinished
    return rows
  }

  private mutating func place(
    _ records: ThreadRecords, in trace: inout Trace, _ columns: SpanColumns,
    with sound: inout SoundPlacer, _ unpacker: Unpacker
  ) -> PlacedSpans {
    let track = trace.tracks.count
    var placed: PlacedSpans
    if let first = sound.place(records, at: count, track: track, sums: &trace.folded) {
      placed = first
    } else {
      var mending = MendingPlacer(
        records, into: columns, at: count, track: track, sites: sites, map: map,
        firstTick: header.start.tick, unpacker: unpacker)
      placed = mending.place(with: unpacker, sums: &trace.folded)
      issues.merge(mending.issues)
    }
    count += records.count
    lastTick = max(lastTick, placed.lastTick)
    placed.earliest.map { times.include($0, $0) }
    placed.latest.map { times.include($0, $0) }
    return placed
  }

  /// Spans of a thread that end with the recording, and the thread's sums.
  private struct Unended {
    var places: Set<Int>
    var sums: Range<Int>
  }

  /// The last tick is known: writes the ends that wait for it.
  private mutating func end(_ all: [Unended], into columns: SpanColumns, of trace: inout Trace) {
    guard !all.isEmpty else { return }
    var hint = 0
    let end = map(lastTick, near: &hint)
    times.include(end, end)
    for unended in all {
      for place in unended.places { unsafe columns.end[place] = end }
      for sum in unended.sums where unended.places.contains(Int(trace.folded[sum].parent)) {
        trace.folded[sum].cut(at: end)
      }
    }
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
  private mutating func addLanes(
    _ spans: [RecordedEvents.DetachedSpan], of thread: Trace.Track, into columns: SpanColumns,
    to trace: inout Trace
  ) {
    let group = LooseGroup(
      kind: .lane, name: thread.name + ", spans that left the stack",
      threadID: thread.threadID,
      spans: spans.map { LooseRows.Span(start: $0.start, end: $0.end, site: $0.site) })
    _ = add(group, into: columns, to: &trace)
  }

  /// Adds the rows of a group. Gives the place of each of its spans.
  private mutating func add(
    _ group: LooseGroup, into columns: SpanColumns, to trace: inout Trace
  ) -> [Int] {
    let isLane = group.kind == .lane
    let rows = LooseRows(group.spans, nests: !isLane).rows
    var places = Array(repeating: 0, count: group.spans.count)
    for (number, row) in rows.enumerated() {
      let base = count
      for (index, parent) in zip(row.spans, row.parents) {
        let span = group.spans[index]
        let start = span.start - zero
        let end = max(start, span.end - zero)
        columns.set(
          count, start: start, end: end, site: sites[span.site],
          parent: parent.map { UInt32(base + $0) } ?? Trace.Spans.none)
        times.include(start, end)
        places[index] = count
        count += 1
      }
      trace.tracks.append(
        Trace.Track(
          kind: group.kind,
          name: isLane || rows.count > 1 ? "\(group.name), row \(number + 1)" : group.name,
          processID: Int64(header.processID), threadID: group.threadID, spans: base..<count))
    }
    return places
  }
}
