internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What one slot of a live file holds.
@safe struct LiveSlot {
  var threadKey: UInt32
  var sequence: UInt32
  /// Its content is in the trace file.
  var isBeingCleared: Bool
  /// The header of the chunk that was made of it last.
  var header: UnsafeRawBufferPointer
  /// Its complete records; empty while it is being cleared.
  var records: UnsafeRawBufferPointer
  /// Its open spans, outermost first.
  var openSpans: [(start: UInt64, site: UInt32, depth: UInt8)]
  /// Sums of spans that were left out, in ticks.
  var folds: [FoldRecord]
  /// Over depth, below minimum, ticks below minimum, detached, lost.
  var counts: [UInt64]
  /// The chunk that holds its open spans and sums, 0: none was begun.
  var lastChunk: UInt32
}

extension LiveSlot {
  /// The same without what its thread's last chunk holds.
  var withoutLastChunk: LiveSlot {
    var slot = self
    slot.openSpans = []
    slot.folds = []
    return slot
  }

  /// Takes ended spans off the open ones.
  fileprivate mutating func takeOff(_ ended: [(start: UInt64, depth: UInt8)]) {
    let mask: UInt64 = (1 << EventRecord.tickBits) - 1
    let open = Set(openSpans.map { $0.start << 8 | UInt64($0.depth) })
    let gone = Set(ended.map { $0.start << 8 | UInt64($0.depth) }).intersection(open)
    guard !gone.isEmpty else { return }
    openSpans.removeAll { gone.contains(($0.start & mask) << 8 | UInt64($0.depth)) }
  }

  /// The spans among its records: start, as far as a record has it, and depth.
  fileprivate var endedSpans: [(start: UInt64, depth: UInt8)] {
    var result: [(start: UInt64, depth: UInt8)] = []
    var cursor = unsafe EventCursor(records)
    while cursor.advance() {
      guard cursor.isSpan || cursor.kind?.isSpan == true else { continue }
      result.append((cursor.word0 >> 8, UInt8(truncatingIfNeeded: cursor.word0)))
    }
    return result
  }
}

/// A copy of a live file, taken before the trace file is read.
///
/// In this order nothing falls between the two: what a running program moves from its slots to the
/// trace file in the meantime is in both and is taken once.
@safe final class LiveImage {
  private let bytes: UnsafeMutableRawBufferPointer
  let header: FileHeader
  /// The program still runs: it holds a lock on the file.
  let isHeld: Bool

  /// Copies a live file. nil if there is none or it is not one.
  static func read(path: String) -> LiveImage? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let isHeld = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    if !isHeld { flock(descriptor, LOCK_UN) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size >= FileHeader.byteCount else {
      return nil
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(status.st_size), alignment: 16)
    var done = 0
    while done < bytes.count {
      let count = unsafe pread(
        descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    let header = try? unsafe FileHeader(decoding: UnsafeRawBufferPointer(bytes))
    guard done == bytes.count, let header, header.kind == .live else {
      unsafe bytes.deallocate()
      return nil
    }
    let image = unsafe LiveImage(bytes: bytes, header: header, isHeld: isHeld)
    image.settle()
    return image
  }

  private init(bytes: UnsafeMutableRawBufferPointer, header: FileHeader, isHeld: Bool) {
    unsafe self.bytes = bytes
    self.header = header
    self.isHeld = isHeld
  }

  deinit { unsafe bytes.deallocate() }

  /// The slots in use. Their records point into this value.
  var slots: [LiveSlot] {
    var slots = usedPlaces.map { unsafe LiveSlot(slot(at: $0)) }
    // The kill may fall between the record of a span and its leaving the stack.
    let slotsOfThread = Dictionary(grouping: slots) { $0.threadKey }
    for index in slots.indices where !slots[index].openSpans.isEmpty {
      for slot in slotsOfThread[slots[index].threadKey] ?? [] {
        slots[index].takeOff(slot.endedSpans)
      }
    }
    return slots
  }

  /// Spans around `await` that have not ended, of slots in use or not.
  var openTaskSpans: [RecordedEvents.OpenTaskSpan] {
    places.flatMap { place in
      let slot = unsafe slot(at: place)
      return (0..<Slot.openTaskSpanCount).compactMap { index -> RecordedEvents.OpenTaskSpan? in
        let place = Slot.openTaskSpans + index * Slot.openTaskSpanByteCount
        let start = unsafe slot.integer(at: place, as: UInt64.self)
        guard start != 0 else { return nil }
        return unsafe RecordedEvents.OpenTaskSpan(
          start: start, task: slot.integer(at: place + 8, as: UInt64.self),
          site: slot.integer(at: place + 16, as: UInt32.self))
      }
    }
  }

  /// Undoes and completes the changes that were being made in slots.
  private func settle() {
    for place in usedPlaces {
      guard let step = unsafe SlotStep(slot(at: place)) else { continue }
      let key = unsafe slot(at: place).integer(at: Slot.threadKey, as: UInt32.self)
      let isWritten =
        step.record.map { record in
          usedPlaces.contains { other in
            let slot = unsafe slot(at: other)
            return unsafe slot.integer(at: Slot.threadKey, as: UInt32.self) == key
              && slot.integer(at: Slot.sequence, as: UInt32.self) == record.sequence
              && slot.integer(at: record.offset + 8, as: UInt64.self) != 0
          }
        } ?? false
      unsafe step.settle(
        UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + Slot.byteCount]),
        recordIsWritten: isWritten)
    }
  }

  private func slot(at place: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<place + Slot.byteCount])
  }

  private var usedPlaces: [Int] {
    places.filter { place in unsafe slot(at: place).integer(at: Slot.state, as: UInt32.self) == 1 }
  }

  /// Where whole slots begin.
  private var places: StrideTo<Int> {
    guard let layout = header.live else { return stride(from: 0, to: 0, by: 1) }
    let end = unsafe bytes.count - layout.slotByteCount + 1
    return stride(from: FileHeader.byteCount, to: end, by: layout.slotByteCount)
  }
}

extension LiveSlot {
  /// How many spans over the greatest depth an open span counts.
  private static func passedOver(_ slot: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    unsafe UInt64(slot.integer(at: place + 12, as: UInt32.self)) & Slot.passedOverMask
  }

  fileprivate init(_ slot: UnsafeRawBufferPointer) {
    threadKey = unsafe slot.integer(at: Slot.threadKey, as: UInt32.self)
    sequence = unsafe slot.integer(at: Slot.sequence, as: UInt32.self)
    isBeingCleared = unsafe slot.integer(at: Slot.sealed, as: UInt32.self) == sequence
    unsafe header = UnsafeRawBufferPointer(
      rebasing: slot[Slot.chunk..<Slot.chunk + ChunkHeader.byteCount])
    let area = unsafe UnsafeRawBufferPointer(rebasing: slot[Slot.records...])
    let count =
      isBeingCleared
      ? 0
      : unsafe threadKey == 0
        ? DefinitionCursor.completeByteCount(of: area) : EventCursor.completeByteCount(of: area)
    unsafe records = UnsafeRawBufferPointer(rebasing: area[..<count])
    lastChunk = unsafe slot.integer(at: Slot.lastChunk, as: UInt32.self)
    openSpans = []
    folds = []
    if threadKey != 0 {
      let outermost = unsafe slot.integer(at: Slot.outermost, as: UInt64.self)
      let passedOver = unsafe Self.passedOver(slot, at: Slot.outermost)
      if outermost != 0, passedOver > 0 {
        folds.append(
          FoldRecord(reason: .overDepth, start: outermost, depth: 0, count: passedOver))
      }
      for depth in 0..<255 {
        let place = Slot.openSpans + depth * Slot.openSpanByteCount
        let start = unsafe slot.integer(at: place, as: UInt64.self)
        guard start != 0 else { continue }
        openSpans.append(
          (start, unsafe slot.integer(at: place + 8, as: UInt32.self), UInt8(depth)))
        let passedOver = unsafe Self.passedOver(slot, at: place)
        if passedOver > 0 {
          folds.append(
            FoldRecord(
              reason: .overDepth, start: start, depth: UInt8(depth + 1), count: passedOver))
        }
      }
      for index in 0..<Slot.foldCount {
        let place = Slot.folds + index * Slot.foldByteCount
        let words = (0..<5).map { unsafe slot.integer(at: place + $0 * 8, as: UInt64.self) }
        let count = unsafe slot.integer(at: place + 48, as: UInt64.self)
        guard words[0] != 0, count != 0 else { continue }
        var fold = FoldRecord(
          reason: .belowMinimum, start: words[0],
          depth: UInt8(truncatingIfNeeded: words[1] >> 4), count: count)
        fold.site = unsafe slot.integer(at: place + 40, as: UInt32.self)
        fold.extent = words[2]
        (fold.total, fold.own, fold.longest) = (words[2], words[2] &- words[3], words[4])
        folds.append(fold)
      }
    }
    counts = Slot.counts.map { unsafe slot.integer(at: $0, as: UInt64.self) }
    // The slot counts what was written.
    for fold in folds {
      switch fold.reason {
      case .overDepth: counts[0] &+= fold.count
      case .belowMinimum:
        counts[1] &+= fold.count
        counts[2] &+= fold.total
      }
    }
  }
}
