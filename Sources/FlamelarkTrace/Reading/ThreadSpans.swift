internal import FlamelarkFormat

/// The nested spans of one thread: from records in the order of their ends to columns in the
/// order of their beginnings.
///
/// A span's record follows those of the spans inside it. Going forwards, a stack of finished
/// subtrees gives each span's number of descendants; with it, going backwards, each span's place in
/// the order of beginnings is known at once: behind everything before its subtree, and behind the
/// spans around it. No sorting, two passes, four bytes a span beside the result.
struct ThreadSpans {
  private struct Subtree {
    var start: UInt64
    var depth: UInt8
    var size: UInt32
  }

  /// A record that is a span.
  fileprivate struct Record {
    var start: UInt64
    var end: UInt64
    var depth: UInt8
    var site: UInt32
    var isUnfinished = false
  }

  private let chunks: [Chunk]
  /// Spans that have no record because they had not ended: the innermost first.
  private let open: [Record]
  /// Sums that have no record for the same reason.
  private let pendingFolds: [FoldRecord]
  private let firstTick: UInt64
  private var sizes: [UInt32] = []
  /// What was left out, with the spans around it. Set by ``append(to:track:sites:map:)``.
  private(set) var folded: [Trace.FoldedSpans] = []
  private(set) var issues: [Trace.Issue] = []

  /// - Parameters:
  ///   - chunks: The thread's, in the order in which they were filled.
  ///   - open: Its spans that had not ended.
  ///   - folds: Its sums that were not written.
  ///   - firstTick: The beginning of the recording: no span begins before it.
  ///   - lastTick: The end of the trace, for open spans that don't know theirs.
  init(
    chunks: [Chunk], open: [RecordedEvents.OpenSpan], folds: [FoldRecord], firstTick: UInt64,
    lastTick: UInt64
  ) {
    self.chunks = chunks
    self.open = open.sorted { $0.depth > $1.depth }.map {
      let end = max($0.start, $0.end == 0 ? lastTick : $0.end)
      return Record(
        start: $0.start, end: end, depth: $0.depth, site: $0.site, isUnfinished: true)
    }
    pendingFolds = folds
    self.firstTick = firstTick
    measure()
  }

  /// How many spans there are.
  var count: Int { sizes.count }

  private mutating func measure() {
    var stack: [Subtree] = []
    func add(_ span: Record) {
      var size: UInt32 = 1
      while let last = stack.last, last.depth > span.depth, last.start >= span.start {
        size += last.size
        stack.removeLast()
      }
      stack.append(Subtree(start: span.start, depth: span.depth, size: size))
      sizes.append(size)
    }
    chunks.forEach { chunk in
      var cursor = unsafe EventCursor(chunk.bytes)
      while cursor.advance() {
        if let span = Self.span(cursor, in: chunk) { add(span) }
      }
    }
    for span in open { add(span) }
  }

  /// Appends the spans to `columns`.
  mutating func append(
    to columns: inout Trace.Spans, track: Int, sites: SiteTable, map: TickMap
  ) {
    let base = columns.count
    columns.reserveCapacity(base + count)
    columns.start.append(contentsOf: repeatElement(0, count: count))
    columns.end.append(contentsOf: repeatElement(0, count: count))
    columns.site.append(contentsOf: repeatElement(CallSiteID(0), count: count))
    columns.parent.append(contentsOf: repeatElement(Trace.Spans.none, count: count))

    var around: [Around] = []
    var nextTop = Int64.max
    var (repaired, early) = (0, 0)
    var index = count
    var hint = 0
    var unfinished: [Int] = []

    func place(_ span: Record) {
      index -= 1
      while let last = around.last, index < last.first { around.removeLast() }
      let first = index - Int(sizes[index]) + 1
      let place = base + first + around.count
      var start = map(max(span.start, firstTick), near: &hint)
      var end = map(max(span.end, firstTick), near: &hint)
      if span.start < firstTick { early += 1 }
      // Clocks of two cores may differ by a little: nesting is what the thread did.
      let (low, high) = (around.last?.start ?? .min, around.last?.end ?? .max)
      let next = around.last?.nextStart ?? nextTop
      if start < low || end > min(high, next) || start > end {
        repaired += 1
        start = max(low, min(start, high, next))
        end = max(start, min(end, high, next))
      }
      columns.start[place] = start
      columns.end[place] = end
      columns.site[place] = sites[span.site]
      if let parent = around.last {
        columns.parent[place] = UInt32(parent.place)
        around[around.count - 1].nextStart = start
      } else {
        nextTop = start
      }
      if span.isUnfinished { unfinished.append(place) }
      around.append(
        Around(
          first: first, place: place, tick: span.start, depth: span.depth, start: start, end: end))
    }

    // A sum stands among the records like a span of its depth.
    func place(_ fold: FoldRecord) {
      while let last = around.last, index < last.first { around.removeLast() }
      let parent = around.last { $0.depth < fold.depth && $0.tick <= fold.start }
      folded.append(
        fold.folded(
          track: track, parent: parent.map { UInt32($0.place) } ?? Trace.Spans.none,
          parentEnd: parent?.end ?? .max, sites: sites, map: map, near: &hint))
    }

    for span in open.reversed() { place(span) }
    for fold in pendingFolds.reversed() { place(fold) }
    for chunk in chunks.reversed() {
      for entry in Self.entries(of: chunk).reversed() {
        switch entry {
        case .span(let span): place(span)
        case .fold(let fold): place(fold)
        }
      }
    }
    folded.reverse()
    columns.unfinished.append(contentsOf: unfinished.sorted())
    if repaired > 0 {
      issues.append(
        Trace.Issue("spans cut to the span around them or the next one", count: repaired))
    }
    if early > 0 {
      issues.append(
        Trace.Issue("spans that began before the recording, cut at its start", count: early))
    }
  }

  private static func entries(of chunk: Chunk) -> [Entry] {
    var result: [Entry] = []
    var cursor = unsafe EventCursor(chunk.bytes)
    while cursor.advance() {
      if let span = span(cursor, in: chunk) {
        result.append(.span(span))
      } else if let fold = FoldRecord(cursor, in: chunk) {
        result.append(.fold(fold))
      }
    }
    return result
  }

  private static func span(_ cursor: EventCursor, in chunk: Chunk) -> Record? {
    let (word0, word1) = (cursor.word0, cursor.word1)
    let depth = UInt8(truncatingIfNeeded: word0)
    if cursor.isSpan {
      let start = chunk.tick(word0)
      return Record(
        start: start, end: start &+ word1 >> 32, depth: depth, site: cursor.identifier)
    }
    guard cursor.kind == .longSpan, cursor.word(3) == 0 else { return nil }
    let start = chunk.tick(word0)
    return Record(
      start: start, end: start &+ cursor.word(2), depth: depth, site: cursor.identifier)
  }
}

/// What of a thread's records has a place among its spans.
private enum Entry {
  case span(ThreadSpans.Record)
  case fold(FoldRecord)
}

/// A span around the current one.
private struct Around {
  /// The first record of its subtree.
  var first: Int
  /// Its place in the columns.
  var place: Int
  var tick: UInt64
  var depth: UInt8
  var start: Int64
  var end: Int64
  /// The beginning of the span inside it that was placed last, which is the next in time.
  var nextStart = Int64.max
}

extension Chunk {
  /// A record's tick, completed from 56 to 64 bits: the nearest to when the chunk was sealed.
  func tick(_ word0: UInt64) -> UInt64 {
    let low = word0 >> 8
    let high = lastTick & ~((1 << EventRecord.tickBits) - 1)
    let tick = high | low
    return tick > lastTick && high > 0 ? tick &- (1 << EventRecord.tickBits) : tick
  }
}
