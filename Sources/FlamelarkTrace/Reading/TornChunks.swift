internal import FlamelarkFormat

/// Chunks that were being written when the program was killed: their content is still in a slot of
/// the live file, and what there is of them in the trace file is no damage.
@safe struct TornChunks {
  private let keys: Set<Chunks.Key>
  /// The headers as the slots have them.
  private let headers: [UnsafeRawBufferPointer]
  /// The system stops writing between pages.
  private static let pageByteCount = 4096

  /// The headers are those of the slots: they live as long.
  init(_ slots: [LiveSlot]) {
    keys = Set(
      slots.flatMap { slot in
        [slot.sequence, slot.lastChunk].map { Chunks.Key(thread: slot.threadKey, sequence: $0) }
      })
    // A slot that was never written has none.
    unsafe headers = slots.map { unsafe $0.header }.filter {
      unsafe $0.integer(at: 0, as: UInt64.self) == ChunkHeader.magic
    }
  }

  /// How many bytes at a place of the file belong to such a chunk, nil if it is none. `bytes` go on
  /// from there to the end of the file.
  func byteCount(at place: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    if bytes.count >= ChunkHeader.byteCount {
      guard unsafe bytes.integer(at: 0, as: UInt64.self) == ChunkHeader.magic else { return nil }
      let key = Chunks.Key(
        thread: unsafe bytes.integer(at: 24, as: UInt32.self),
        sequence: unsafe bytes.integer(at: 28, as: UInt32.self))
      let byteCount = unsafe ChunkHeader.byteCount + Int(bytes.integer(at: 16, as: UInt32.self))
      if keys.contains(key), byteCount <= Slot.chunkByteCount, byteCount % 8 == 0 {
        return min(byteCount, bytes.count)
      }
    }
    // Not even the header is whole.
    let written = min(bytes.count, Self.pageByteCount - place % Self.pageByteCount)
    guard written < ChunkHeader.byteCount else { return nil }
    let start = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<written])
    let isKnown = unsafe headers.contains { header in
      unsafe header[..<written].elementsEqual(start)
    }
    return isKnown ? written : nil
  }
}
