internal import FlamelarkFormat

/// One thread's records: where they are, and how many spans there are among them.
struct ThreadRecords {
  /// What a chunk holds: the bytes of its records, how many are spans, whether all are plain ones.
  struct Extent {
    var byteCount: Int
    var spanCount: Int
    var isPlain: Bool
  }

  /// In the order in which they were filled.
  let chunks: [Chunk]
  private(set) var extents: [Extent] = []
  /// Spans that have no record because they had not ended: the innermost first.
  private(set) var open: [RecordedEvents.OpenSpan] = []
  /// Sums that have no record for the same reason.
  var pendingFolds: [FoldRecord] = []
  /// How many spans have a record.
  private(set) var recordCount = 0
  private var foldRecordCount = 0
  /// The last tick of a record that is a sum.
  private(set) var lastFoldTick: UInt64 = 0
  /// Packed chunks that could not be unpacked to their end.
  private(set) var cutShort = 0

  /// Finds the records in a thread's chunks. What is neither a plain span nor a sum goes to `other`,
  /// with its tick.
  init(
    _ chunks: [Chunk], with unpacker: Unpacker,
    other: (EventCursor, borrowing Chunk, UInt64) -> Void
  ) {
    self.chunks = chunks
    extents.reserveCapacity(chunks.count)
    for chunk in chunks {
      let extent =
        chunk.spanCount.map { Extent(byteCount: $0 * 16, spanCount: $0, isPlain: true) }
        ?? find(in: chunk, with: unpacker, other: other)
      recordCount += extent.spanCount
      extents.append(extent)
    }
  }

  private mutating func find(
    in chunk: Chunk, with unpacker: Unpacker,
    other: (EventCursor, borrowing Chunk, UInt64) -> Void
  ) -> Extent {
    let records = unsafe unpacker.records(of: chunk)
    if chunk.isPacked, unsafe PackedEvents.recordByteCount(of: chunk.bytes) != records.count {
      cutShort += 1
    }
    let ticks = TickCompletion(chunk)
    var extent = Extent(byteCount: 0, spanCount: 0, isPlain: true)
    var cursor = unsafe EventCursor(records)
    while cursor.advance() {
      if cursor.isSpan {
        extent.spanCount += 1
        continue
      }
      extent.isPlain = false
      let start = ticks.tick(cursor.word0)
      switch cursor.kind {
      case .folded, .overDepth:
        foldRecordCount += 1
        lastFoldTick = max(lastFoldTick, start)
        continue
      default:
        if SpanRecord(extended: cursor, start: start) != nil { extent.spanCount += 1 }
      }
      other(cursor, chunk, start)
    }
    extent.byteCount = cursor.endOfRecord
    // A packed chunk that ends early is not one of plain spans, whatever those in front are.
    if chunk.isPacked { extent.isPlain = false }
    return extent
  }

  /// How many spans there are.
  var count: Int { recordCount + open.count }

  /// How many sums there are.
  var foldCount: Int { foldRecordCount + pendingFolds.count }

  /// Adds spans that had not ended, behind all chunks.
  mutating func add(open spans: [RecordedEvents.OpenSpan]) {
    open = spans.sorted { $0.depth > $1.depth }
  }

  /// The first beginning that the first and the last chunk know, .max if they have no spans. What is
  /// around everything ends last, so mostly it is the thread's.
  func likelyFirstTick(with unpacker: Unpacker) -> UInt64 {
    var first = open.reduce(UInt64.max) { min($0, $1.start) }
    for index in Set([0, chunks.count - 1]) where chunks.indices.contains(index) {
      forEachSpan(ofChunk: index, with: unpacker) { first = min(first, $0.start) }
    }
    return first
  }

  /// The last end of the spans that have a record, 0 if there are none. Goes through all of them.
  func lastTick(with unpacker: Unpacker) -> UInt64 {
    var last: UInt64 = 0
    for index in chunks.indices {
      forEachSpan(ofChunk: index, with: unpacker) { last = max(last, $0.end) }
    }
    return last
  }

  /// Goes through the spans of one chunk.
  @inline(__always)
  func forEachSpan(ofChunk index: Int, with unpacker: Unpacker, _ body: (SpanRecord) -> Void) {
    let ticks = TickCompletion(chunks[index])
    let records = unsafe unpacker.records(of: chunks[index])
    if extents[index].isPlain {
      let count = min(records.count, extents[index].byteCount) / 16
      for number in 0..<count {
        unsafe body(SpanRecord(plain: records, at: number * 16, ticks))
      }
      return
    }
    var cursor = unsafe EventCursor(records)
    while cursor.advance() {
      let start = ticks.tick(cursor.word0)
      if let span = SpanRecord(cursor, start: start) { body(span) }
    }
  }
}
