internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Turns the content of a slot into a chunk of the trace file.
@safe struct SlotWriter {
  private let slot: UnsafeMutableRawPointer
  private let kind: ChunkHeader.Kind
  /// When the content was begun.
  private var begun: UInt64

  init(slot: UnsafeMutableRawPointer, kind: ChunkHeader.Kind) {
    unsafe self.slot = slot
    self.kind = kind
    begun = fl_tick()
  }

  var records: UnsafeMutableRawPointer { unsafe slot + Slot.records }
  var recordsLimit: UnsafeMutableRawPointer { unsafe slot + Slot.recordsLimit }
  var folds: UnsafeMutableRawPointer { unsafe slot + Slot.folds }
  var openSpans: UnsafeMutableRawPointer { unsafe slot + Slot.openSpans }
  var openTaskSpans: UnsafeMutableRawPointer { unsafe slot + Slot.openTaskSpans }
  var base: UnsafeMutableRawPointer { unsafe slot }

  /// The number that the content will have as a chunk.
  var sequence: UInt32 {
    unsafe fl_load_acquire_half(
      slot.advanced(by: Slot.sequence).assumingMemoryBound(to: UInt32.self))
  }

  /// Begins a content whose number follows that of another slot's.
  mutating func begin(sequence: UInt32, at tick: UInt64) {
    begun = tick
    unsafe storeRelease(sequence, in: slot, at: Slot.sequence)
  }

  /// Writes the first `byteCount` bytes of records and clears them.
  ///
  /// In between, `sealed` says that the content is in the file, so that a reader of what a killed
  /// program left takes it once: from the file if the chunk is there whole, else from the slot.
  /// If the chunk can't be written the slot keeps its content.
  ///
  /// - Returns: 0, or the system's number of the error.
  mutating func seal(byteCount: Int, into file: TraceFile) -> CInt {
    let end = TickClock.anchor()
    let code = seal(byteCount: byteCount, end: end, into: file)
    if code == 0 { begun = end.tick }
    return code
  }

  /// The same for a content that ended earlier.
  func seal(byteCount: Int, end: ClockAnchor, into file: TraceFile) -> CInt {
    guard byteCount > 0 else { return 0 }
    let chunk = unsafe makeChunk(byteCount: byteCount, anchor: end)
    // A full one is written with the little that is left behind it, as a whole piece of the file.
    let isFull = Slot.records + byteCount >= Slot.recordsLimit
    let code = unsafe file.append(
      UnsafeRawBufferPointer(
        start: slot + Slot.chunk, count: isFull ? Slot.chunkByteCount : chunk.count))
    guard code == 0 else { return code }
    clear(byteCount: byteCount)
    return 0
  }

  /// The content as a chunk, in its place.
  func makeChunk(byteCount: Int, anchor: ClockAnchor) -> UnsafeRawBufferPointer {
    let chunk = unsafe UnsafeMutableRawBufferPointer(
      start: slot + Slot.chunk, count: ChunkHeader.byteCount + byteCount)
    unsafe header(byteCount: byteCount, sequence: sequence, anchor: anchor).encode(sealing: chunk)
    return UnsafeRawBufferPointer(chunk)
  }

  /// Forgets a content that is in the file.
  func clear(byteCount: Int) {
    unsafe storeRelease(sequence, in: slot, at: Slot.sealed)
    unsafe memset(slot + Slot.records, 0, byteCount)
    unsafe storeRelease(sequence + 1, in: slot, at: Slot.sequence)
  }

  /// Writes records of what `home` tells besides its content, as the last chunk of its thread.
  ///
  /// `home` keeps what it tells, since the thread may still be there, and says which chunk has it.
  func writeLast(_ records: [UInt64], of home: SlotWriter, to file: TraceFile) -> CInt {
    guard !records.isEmpty else { return 0 }
    unsafe storeRelease(sequence, in: home.base, at: Slot.lastChunk)
    let byteCount = records.count * 8
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: ChunkHeader.byteCount + byteCount, alignment: 8
    ) { chunk in
      for (index, word) in records.enumerated() {
        unsafe chunk.store(integer: word, at: ChunkHeader.byteCount + index * 8)
      }
      unsafe header(byteCount: byteCount, sequence: sequence, anchor: TickClock.anchor())
        .encode(sealing: chunk)
      // Whoever reads what is left compares it with what the file has of it.
      unsafe (slot + Slot.chunk).copyMemory(
        from: chunk.baseAddress ?? slot, byteCount: ChunkHeader.byteCount)
      return unsafe file.append(UnsafeRawBufferPointer(chunk))
    }
  }

  /// Clears what is told of spans that have not ended: they were written as such.
  func forgetOpenSpans() {
    unsafe memset(slot + Slot.outermost, 0, Slot.chunk - Slot.outermost)
  }

  private func header(byteCount: Int, sequence: UInt32, anchor: ClockAnchor) -> ChunkHeader {
    ChunkHeader(
      kind: kind.rawValue,
      payloadByteCount: UInt32(byteCount),
      threadKey: unsafe slot.load(fromByteOffset: Slot.threadKey, as: UInt32.self),
      sequence: sequence,
      firstTick: begun,
      lastTick: anchor.tick,
      anchor: anchor)
  }
}
