internal import FlamelarkFormat

/// One thread's records, gone through forwards: how many spans there are, and the size of the
/// subtree that each ends.
///
/// A span's record follows those of the spans inside it, so going forwards gives each span's number
/// of descendants. With it ``SpanPlacer``, going backwards, knows each span's place in the order of
/// beginnings at once. No sorting, two passes, four bytes a span beside the result.
@safe final class ThreadSurvey {
  /// What the chunks hold: the bytes of records, and whether any is not a plain span.
  struct Extent {
    var byteCount: Int
    var hasExtended: Bool
  }

  /// The thread's, in the order in which they were filled.
  let chunks: [Chunk]
  private(set) var extents: [Extent] = []
  /// Spans that have no record because they had not ended: the innermost first.
  private(set) var open: [SpanRecord] = []
  /// Sums that have no record for the same reason.
  var pendingFolds: [FoldRecord] = []
  /// The subtree sizes, in the order of the records.
  private let room: UnsafeMutableBufferPointer<UInt32>
  private var sums = DepthSums()
  /// Packed chunks that could not be unpacked to their end.
  private(set) var cutShort = 0
  /// The first beginning and the last end of the spans in ticks.
  private(set) var firstTick = UInt64.max
  private(set) var lastTick = UInt64.min

  /// - Parameters:
  ///   - chunks: The thread's, in the order in which they were filled.
  ///   - openCount: How many open spans will be added at most.
  init(_ chunks: [Chunk], openCount: Int) {
    self.chunks = chunks
    let capacity = chunks.reduce(openCount) { $0 + $1.recordByteCount / 16 }
    unsafe room = UnsafeMutableBufferPointer.allocate(capacity: max(1, capacity))
    unsafe LargePages.advise(UnsafeMutableRawBufferPointer(room))
  }

  deinit {
    unsafe room.deallocate()
    sums.deallocate()
  }

  /// How many spans there are.
  var count: Int { sums.count }
  /// The subtree sizes, in the order of the records.
  var sizes: UnsafeBufferPointer<UInt32> { unsafe UnsafeBufferPointer(room) }

  /// Goes through all chunks. What is not a nested span goes to `other`.
  func survey(
    with unpacker: Unpacker, other: (EventCursor, borrowing Chunk, UInt64) -> Void
  ) {
    extents.reserveCapacity(chunks.count)
    for chunk in chunks {
      let records = unsafe unpacker.records(of: chunk)
      if chunk.isPacked, unsafe PackedEvents.recordByteCount(of: chunk.bytes) != records.count {
        cutShort += 1
      }
      unsafe extents.append(survey(records, of: chunk, other: other))
    }
  }

  private func survey(
    _ records: UnsafeRawBufferPointer, of chunk: Chunk,
    other: (EventCursor, borrowing Chunk, UInt64) -> Void
  ) -> Extent {
    let ticks = TickCompletion(chunk)
    // In locals, which need no check of who else uses them.
    var (first, last, sums) = (firstTick, lastTick, sums)
    var hasExtended = false
    var cursor = unsafe EventCursor(records)
    while cursor.advance() {
      let word = cursor.word1
      let start = ticks.tick(cursor.word0)
      if !word.isOfExtendedRecord {
        unsafe sums.add(
          start: start, depth: UInt8(truncatingIfNeeded: cursor.word0), to: room)
        first = min(first, start)
        last = max(last, start &+ word >> 32)
        continue
      }
      hasExtended = true
      if let span = SpanRecord(extended: cursor, start: start) {
        unsafe sums.add(start: start, depth: span.depth, to: room)
        first = min(first, start)
        last = max(last, span.end)
      }
      other(cursor, chunk, start)
    }
    firstTick = first
    lastTick = last
    self.sums = sums
    return Extent(byteCount: cursor.endOfRecord, hasExtended: hasExtended)
  }

  /// Adds spans that had not ended, behind all chunks. Now the sizes are known.
  func finish(open spans: [RecordedEvents.OpenSpan], end: UInt64, with unpacker: Unpacker) {
    open = spans.sorted { $0.depth > $1.depth }.map {
      SpanRecord(
        start: $0.start, end: max($0.start, $0.end == 0 ? end : $0.end), depth: $0.depth,
        site: $0.site, isUnfinished: true)
    }
    for span in open {
      unsafe sums.add(start: span.start, depth: span.depth, to: room)
      firstTick = min(firstTick, span.start)
    }
    if !sums.isSound { measureAgain(with: unpacker) }
  }

  /// Spans are missing, or clocks differ: sums by depth don't tell the sizes then.
  private func measureAgain(with unpacker: Unpacker) {
    var subtrees = Subtrees()
    for chunk in chunks {
      let ticks = TickCompletion(chunk)
      var cursor = unsafe EventCursor(unpacker.records(of: chunk))
      while cursor.advance() {
        let start = ticks.tick(cursor.word0)
        guard cursor.isSpan || SpanRecord(extended: cursor, start: start) != nil else { continue }
        unsafe subtrees.add(
          start: start, depth: UInt8(truncatingIfNeeded: cursor.word0), to: room)
      }
    }
    for span in open { unsafe subtrees.add(start: span.start, depth: span.depth, to: room) }
  }
}

/// A record that is a span on its thread's stack.
struct SpanRecord {
  var start: UInt64
  var end: UInt64
  var depth: UInt8
  var site: UInt32
  var isUnfinished = false

  init(start: UInt64, end: UInt64, depth: UInt8, site: UInt32, isUnfinished: Bool = false) {
    self.start = start
    self.end = end
    self.depth = depth
    self.site = site
    self.isUnfinished = isUnfinished
  }

  /// An extended record as a span, nil if it isn't one.
  init?(extended record: EventCursor, start: UInt64) {
    guard record.kind == .longSpan, record.word(3) == 0 else { return nil }
    self.init(
      start: start, end: start &+ record.word(2), depth: UInt8(truncatingIfNeeded: record.word0),
      site: record.identifier)
  }
}

/// Completes ticks of records from 56 to 64 bits: the nearest to when their chunk was sealed.
struct TickCompletion {
  private let high: UInt64
  private let last: UInt64
  private let wrap: UInt64

  init(_ chunk: borrowing Chunk) {
    last = chunk.lastTick
    high = last & ~((1 << EventRecord.tickBits) - 1)
    wrap = high > 0 ? 1 << EventRecord.tickBits : 0
  }

  @inline(__always)
  func tick(_ word0: UInt64) -> UInt64 {
    let tick = high | word0 >> 8
    return tick > last ? tick &- wrap : tick
  }
}
