internal import FlamelarkFormat

/// Puts the nested spans of one thread into columns, in the order of their beginnings, whatever is
/// missing or doesn't fit; what doesn't is cut and counted. ``SoundPlacer`` puts most threads' there
/// with half of the work.
///
/// Goes through the records twice. Forwards ``SubtreeSizes`` finds the size of the subtree that each
/// ends. Backwards a span's place is known when it comes: behind everything before its subtree, and
/// behind the spans around it.
@safe struct MendingPlacer {
  private let thread: ThreadRecords
  private let subtrees: SubtreeSizes
  private let columns: SpanColumns
  /// The place of the thread's first span.
  private let base: Int
  private let track: Int
  private let sites: SiteTable
  private let map: TickMap
  private var nest: MendingNest
  private var placed = PlacedSpans()
  /// What was left out, in the order of records that come backwards.
  private var folded: [Trace.FoldedSpans] = []
  private(set) var issues: [Trace.Issue] = []

  /// For a thread whose first span goes to `base`. No span begins before the tick at which the
  /// recording began; `map` gives the times of the trace.
  init(
    _ thread: ThreadRecords, into columns: SpanColumns, at base: Int, track: Int, sites: SiteTable,
    map: TickMap, firstTick: UInt64, unpacker: Unpacker
  ) {
    self.thread = thread
    self.columns = columns
    self.base = base
    self.track = track
    self.sites = sites
    self.map = map
    subtrees = SubtreeSizes(of: thread, with: unpacker)
    nest = MendingNest(
      subtrees, count: thread.count, into: columns, at: base, firstTick: firstTick)
  }

  /// Writes the columns, and adds to the sums what was left out. Ends the life of this value.
  mutating func place(
    with unpacker: Unpacker, sums: inout Trace.FoldedSums
  ) -> PlacedSpans {
    defer { nest.deallocate() }
    for span in thread.open.reversed() {
      let place = nest.place(SpanRecord(open: span), sites: sites, map: map)
      placed.unfinished.append(place)
      // The next one may have cut it: then its end is known.
      if span.end == 0, unsafe columns.end[place] == endOfAll { placed.unended.append(place) }
    }
    for fold in thread.pendingFolds.reversed() { place(fold) }
    for (chunk, extent) in zip(thread.chunks, thread.extents).reversed() {
      let records = unsafe unpacker.records(of: chunk)
      guard records.count >= extent.byteCount else { continue }
      let ticks = TickCompletion(chunk)
      if extent.isPlain {
        nest = unsafe Self.placeSpans(
          records, extent.byteCount, ticks, in: nest, sites: sites, map: map)
      } else {
        unsafe placeAll(records, extent, chunk, ticks)
      }
    }
    placed.unfinished.sort()
    placed.lastTick = subtrees.lastTick
    if nest.index != 0 { forget() }
    if thread.count > 0 {
      placed.earliest = nest.nextTop
      placed.latest = placed.unended.isEmpty ? nest.latest : nil
    }
    for sum in folded.reversed() { sums.append(sum) }
    tell()
    return placed
  }

  /// The time in place of ends that are not known so far.
  private var endOfAll: Int64 {
    var hint = 0
    return map(.max, near: &hint)
  }

  /// A chunk of spans alone. The state goes in and out as a value: then loops keep it in registers.
  @inline(never)
  private static func placeSpans(
    _ records: UnsafeRawBufferPointer, _ byteCount: Int, _ ticks: TickCompletion,
    in nest: MendingNest, sites: SiteTable, map: TickMap
  ) -> MendingNest {
    var nest = nest
    var offset = byteCount
    while offset > 0 {
      offset &-= 16
      nest.place(
        unsafe SpanRecord(plain: records, at: offset, ticks), sites: sites, map: map)
    }
    return nest
  }

  /// A chunk with records of other lengths: where they begin is seen going forwards only.
  private mutating func placeAll(
    _ records: UnsafeRawBufferPointer, _ extent: ThreadRecords.Extent, _ chunk: Chunk,
    _ ticks: TickCompletion
  ) {
    var cursors: [EventCursor] = []
    cursors.reserveCapacity(extent.byteCount / 16)
    var cursor = unsafe EventCursor(
      UnsafeRawBufferPointer(rebasing: records[..<extent.byteCount]))
    while cursor.advance() { cursors.append(cursor) }
    for cursor in cursors.reversed() {
      let start = ticks.tick(cursor.word0)
      if let span = SpanRecord(cursor, start: start) {
        nest.place(span, sites: sites, map: map)
      } else if let fold = FoldRecord(cursor, start: start) {
        place(fold)
      }
    }
  }

  // A sum stands among the records like a span of its depth.
  private mutating func place(_ fold: FoldRecord) {
    var hint = 0
    var sum = fold.folded(track: track, site: sites[fold.site]) { map($0, near: &hint) }
    if let parent = nest.parent(ofDepth: fold.depth, at: fold.start) {
      sum.parent = parent.place
      sum.cut(at: parent.end)
    }
    folded.append(sum)
  }

  /// The file changed between the two passes: its spans can't be told apart.
  private mutating func forget() {
    for place in base..<base + thread.count {
      columns.set(place, start: 0, end: 0, site: CallSiteID(0), parent: Trace.Spans.none)
    }
    folded = []
    placed.unfinished = []
    placed.unended = []
    nest.forget()
    issues.append(
      Trace.Issue("spans of a file that changed while it was read", count: thread.count))
  }

  private mutating func tell() {
    if nest.repaired > 0 {
      issues.append(
        Trace.Issue("spans cut to the span around them or the next one", count: nest.repaired))
    }
    if nest.early > 0 {
      issues.append(
        Trace.Issue("spans that began before the recording, cut at its start", count: nest.early))
    }
  }
}
