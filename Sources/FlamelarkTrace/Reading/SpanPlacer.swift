internal import FlamelarkFormat

/// Puts the nested spans of one thread into columns, in the order of their beginnings.
///
/// Goes through the records backwards: a span's place is behind everything before its subtree, whose
/// size ``ThreadSurvey`` found, and behind the spans around it.
@safe struct SpanPlacer {
  private let survey: ThreadSurvey
  private let columns: SpanColumns
  /// The place of the thread's first span.
  private let base: Int
  private let track: Int
  private let sites: SiteTable
  private let map: TickMap
  private var nest: SpanNest
  /// What was left out, with the spans around it.
  private(set) var folded: [Trace.FoldedSpans] = []
  /// The places of spans that had not ended.
  private(set) var unfinished: [Int] = []
  private(set) var issues: [Trace.Issue] = []

  /// For a thread whose first span goes to `base`. No span begins before the tick at which the
  /// recording began; `map` gives the times of the trace.
  init(
    _ survey: ThreadSurvey, into columns: SpanColumns, at base: Int, track: Int, sites: SiteTable,
    map: TickMap, firstTick: UInt64
  ) {
    self.survey = survey
    self.columns = columns
    self.base = base
    self.track = track
    self.sites = sites
    self.map = map
    nest = SpanNest(survey, into: columns, at: base, firstTick: firstTick)
  }

  /// The earliest beginning and the latest end.
  var earliest: Int64 { nest.nextTop }
  var latest: Int64 { nest.latest }

  /// Writes the columns. Ends the life of this value.
  mutating func place(with unpacker: Unpacker) {
    defer { nest.deallocate() }
    for span in survey.open.reversed() {
      unfinished.append(nest.place(span, sites: sites, map: map))
    }
    for fold in survey.pendingFolds.reversed() { place(fold) }
    for (chunk, extent) in zip(survey.chunks, survey.extents).reversed() {
      let records = unsafe unpacker.records(of: chunk)
      guard records.count >= extent.byteCount else { continue }
      let ticks = TickCompletion(chunk)
      if extent.hasExtended {
        unsafe placeAll(records, extent, chunk, ticks)
      } else {
        nest = unsafe Self.placeSpans(
          records, extent.byteCount, ticks, in: nest, sites: sites, map: map)
      }
    }
    folded.reverse()
    unfinished.sort()
    if nest.index != 0 { forget() }
    tell()
  }

  /// A chunk of spans alone. The state goes in and out as a value: then loops keep it in registers.
  @inline(never)
  private static func placeSpans(
    _ records: UnsafeRawBufferPointer, _ byteCount: Int, _ ticks: TickCompletion, in nest: SpanNest,
    sites: SiteTable, map: TickMap
  ) -> SpanNest {
    var nest = nest
    var offset = byteCount
    while offset > 0 {
      offset &-= 16
      let word0 = unsafe records.integer(at: offset, as: UInt64.self)
      let word1 = unsafe records.integer(at: offset &+ 8, as: UInt64.self)
      let start = ticks.tick(word0)
      nest.place(
        SpanRecord(
          start: start, end: start &+ word1 >> 32, depth: UInt8(truncatingIfNeeded: word0),
          site: UInt32(truncatingIfNeeded: word1)), sites: sites, map: map)
    }
    return nest
  }

  /// A chunk with records of other lengths: where they begin is seen going forwards only.
  private mutating func placeAll(
    _ records: UnsafeRawBufferPointer, _ extent: ThreadSurvey.Extent, _ chunk: Chunk,
    _ ticks: TickCompletion
  ) {
    var cursors: [EventCursor] = []
    cursors.reserveCapacity(extent.byteCount / 16)
    var cursor = unsafe EventCursor(
      UnsafeRawBufferPointer(rebasing: records[..<extent.byteCount]))
    while cursor.advance() { cursors.append(cursor) }
    for cursor in cursors.reversed() {
      let start = ticks.tick(cursor.word0)
      if cursor.isSpan {
        nest.place(
          SpanRecord(
            start: start, end: start &+ cursor.word1 >> 32,
            depth: UInt8(truncatingIfNeeded: cursor.word0), site: cursor.identifier),
          sites: sites, map: map)
      } else if let span = SpanRecord(extended: cursor, start: start) {
        nest.place(span, sites: sites, map: map)
      } else if let fold = FoldRecord(cursor, start: start) {
        place(fold)
      }
    }
  }

  // A sum stands among the records like a span of its depth.
  private mutating func place(_ fold: FoldRecord) {
    let parent = nest.parent(ofDepth: fold.depth, at: fold.start)
    folded.append(
      fold.folded(
        track: track, parent: parent?.place ?? Trace.Spans.none,
        parentEnd: parent?.end ?? .max, sites: sites, map: map))
  }

  /// The file changed between the two passes: its spans can't be told apart.
  private mutating func forget() {
    for place in base..<base + survey.count {
      columns.set(place, start: 0, end: 0, site: CallSiteID(0), parent: Trace.Spans.none)
    }
    folded = []
    unfinished = []
    nest.forget()
    issues.append(
      Trace.Issue("spans of a file that changed while it was read", count: survey.count))
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
