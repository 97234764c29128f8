internal import FlamelarkFormat

/// A run of records of one thread: a chunk of the file, or what a slot of the live file holds.
@safe struct Chunk {
  /// The payload, in the file or in the copy of the live file.
  var bytes: UnsafeRawBufferPointer
  var isPacked = false
  var threadKey: UInt32
  var sequence: UInt32
  /// A tick at or before those of the records.
  var firstTick: UInt64 = 0
  /// A tick near those of the records, to complete their 56 bits, and at which they were sealed.
  var lastTick: UInt64
  /// Where it is in the trace file, nil: in the live file.
  var offset: Int?
  /// How many records it holds if all are spans; nil if any is something else, or nobody looked.
  var spanCount: Int?

  /// How many bytes its records have, at most.
  var recordByteCount: Int {
    isPacked ? unsafe PackedEvents.recordByteCount(of: bytes) ?? 0 : unsafe bytes.count
  }
}

/// The chunks of a trace file that are whole, and what is between them.
struct Chunks {
  private(set) var events: [Chunk] = []
  private(set) var definitions: [Chunk] = []
  private(set) var anchors: [ClockAnchor] = []
  private(set) var issues: [Trace.Issue] = []

  /// Walks over a file behind its header.
  ///
  /// A chunk that was being written when the program was killed is no damage if its content is still
  /// in one of `slots`.
  init(of file: UnsafeRawBufferPointer, left slots: [LiveSlot]) {
    let torn = TornChunks(slots)
    var place = FileHeader.byteCount
    var damage = Damage()
    var unknown = 0
    while place < file.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: file[place...])
      guard let header = unsafe ChunkHeader(checking: rest) else {
        // A place that was taken for a chunk and never written is empty; anything else is damage.
        // The next chunk begins at some multiple of 8 behind it.
        if let byteCount = unsafe torn.byteCount(at: place, in: rest) {
          damage.end(at: place)
          place += byteCount
          continue
        }
        let word =
          unsafe rest.count >= 8
          ? rest.integer(at: 0, as: UInt64.self) : rest.allSatisfy { $0 == 0 } ? 0 : 1
        if word != 0 { damage.add(at: place, isChunk: word == ChunkHeader.magic) }
        place += min(8, rest.count)
        continue
      }
      let byteCount = ChunkHeader.byteCount + Int(header.payloadByteCount)
      var chunk = unsafe Chunk(
        bytes: UnsafeRawBufferPointer(rebasing: rest[ChunkHeader.byteCount..<byteCount]),
        isPacked: header.kind == ChunkHeader.Kind.packedEvents.rawValue,
        threadKey: header.threadKey, sequence: header.sequence, firstTick: header.firstTick,
        lastTick: header.lastTick, offset: place)
      switch ChunkHeader.Kind(rawValue: header.kind) {
      // Its bytes are in the processor's cache, since their checksum was just made.
      case .events:
        chunk.spanCount = unsafe EventRecord.spanCount(of: chunk.bytes)
        events.append(chunk)
      case .packedEvents:
        chunk.spanCount = unsafe PackedEvents.spanCount(of: chunk.bytes)
        events.append(chunk)
      case .definitions: definitions.append(chunk)
      case nil: unknown += 1
      }
      anchors.append(header.anchor)
      damage.end(at: place)
      place += byteCount
    }
    issues = damage.issues(fileByteCount: file.count)
    if unknown > 0 {
      issues.append(Trace.Issue("chunks of a kind that this version doesn't know", count: unknown))
    }
  }

  /// Adds what slots of the live file hold, as far as the trace file doesn't.
  ///
  /// - Returns: The slots, with the open spans and sums that the file doesn't hold.
  mutating func add(_ slots: [LiveSlot]) -> [LiveSlot] {
    let written = Set(
      (events + definitions).map { Key(thread: $0.threadKey, sequence: $0.sequence) })
    for slot in slots where unsafe !slot.records.isEmpty {
      guard !written.contains(Key(thread: slot.threadKey, sequence: slot.sequence)) else {
        continue
      }
      let chunk = unsafe Chunk(
        bytes: slot.records, threadKey: slot.threadKey, sequence: slot.sequence, lastTick: 0)
      if slot.threadKey == 0 { definitions.append(chunk) } else { events.append(chunk) }
    }
    return slots.map { slot in
      let last = Key(thread: slot.threadKey, sequence: slot.lastChunk)
      return slot.lastChunk != 0 && written.contains(last) ? slot.withoutLastChunk : slot
    }
  }

  /// Puts the chunks in the order in which they were filled; takes each once; finds what is missing.
  mutating func order() {
    var repeated = 0
    var missing = 0
    func ordered(_ chunks: [Chunk]) -> [Chunk] {
      let sorted = chunks.enumerated().sorted { a, b in
        (a.element.threadKey, a.element.sequence, a.offset)
          < (b.element.threadKey, b.element.sequence, b.offset)
      }
      var result: [Chunk] = []
      sorted.map(\.element).forEach { chunk in
        if let last = result.last, last.threadKey == chunk.threadKey {
          if last.sequence == chunk.sequence {
            repeated += 1
            return
          }
          missing += Int(chunk.sequence - last.sequence) - 1
        } else {
          missing += max(1, Int(chunk.sequence)) - 1
        }
        result.append(chunk)
      }
      return result
    }
    events = ordered(events)
    definitions = ordered(definitions)
    if repeated > 0 {
      issues.append(Trace.Issue("chunks repeated and taken once", count: repeated))
    }
    if missing > 0 {
      issues.append(Trace.Issue("chunks missing, by their numbers", count: missing))
    }
  }

  struct Key: Hashable {
    var thread: UInt32
    var sequence: UInt32
  }
}

/// Bytes between chunks that are neither empty nor a chunk.
private struct Damage {
  private var first: Int?
  private var words = 0
  private var chunks = 0
  private var tail: Int?

  mutating func add(at place: Int, isChunk: Bool) {
    if first == nil { first = place }
    if tail == nil { tail = place }
    words += 1
    if isChunk { chunks += 1 }
  }

  /// A whole chunk follows: what was damaged is not the file's end.
  mutating func end(at place: Int) { tail = nil }

  func issues(fileByteCount: Int) -> [Trace.Issue] {
    guard let first else { return [] }
    if let tail, tail == first, chunks == 1 {
      return [
        Trace.Issue(
          "bytes of a last chunk that is cut off or damaged", count: fileByteCount - tail,
          offset: tail)
      ]
    }
    return [
      Trace.Issue(
        "damaged places of 8 bytes, with \(chunks) chunks lost in them", count: words,
        offset: first)
    ]
  }
}
