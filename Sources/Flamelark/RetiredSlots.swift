internal import FlamelarkFormat

/// Slots of threads that have ended and left little: they are written together, which spares each
/// thread a call of the system. Until then a reader finds their content in the live file.
///
/// Not thread-safe; ``Recorder`` holds its lock.
struct RetiredSlots {
  private var slots: [(writer: SlotWriter, byteCount: Int)] = []

  /// So many are written at once.
  private static let batch = 8
  /// What has more is worth a call of its own.
  static let mostBytes = 4096

  /// Takes a slot of a thread that has ended. Writes all when there are enough.
  ///
  /// - Returns: 0, or the system's number of the error; then the slots keep their content.
  mutating func add(
    _ writer: SlotWriter, byteCount: Int, file: TraceFile, live: LiveFile
  ) -> CInt {
    guard byteCount > 0 else {
      unsafe live.giveBack(writer.base)
      return 0
    }
    slots.append((writer, byteCount))
    return slots.count < Self.batch ? 0 : write(to: file, live: live)
  }

  /// Writes all.
  mutating func write(to file: TraceFile, live: LiveFile) -> CInt {
    guard !slots.isEmpty else { return 0 }
    let anchor = TickClock.anchor()
    let total = slots.reduce(0) { $0 + ChunkHeader.byteCount + $1.byteCount }
    let code = unsafe withUnsafeTemporaryAllocation(byteCount: total, alignment: 8) { bytes in
      var place = 0
      for (writer, byteCount) in slots {
        let chunk = unsafe writer.makeChunk(byteCount: byteCount, anchor: anchor)
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyMemory(from: chunk)
        place += chunk.count
      }
      return unsafe file.append(UnsafeRawBufferPointer(bytes))
    }
    guard code == 0 else { return code }
    for (writer, byteCount) in slots {
      writer.clear(byteCount: byteCount)
      unsafe live.giveBack(writer.base)
    }
    slots.removeAll(keepingCapacity: true)
    return 0
  }
}
