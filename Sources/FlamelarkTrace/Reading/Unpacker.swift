internal import FlamelarkFormat

/// Gives the records of chunks, packed or not.
@safe final class Unpacker {
  private var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { unsafe room.deallocate() }

  /// The records of a chunk: where it lies in its file, or unpacked until the next call.
  ///
  /// Codes that make no sense end a chunk early.
  func records(of chunk: borrowing Chunk) -> UnsafeRawBufferPointer {
    guard chunk.isPacked else { return unsafe chunk.bytes }
    let byteCount = chunk.recordByteCount
    if unsafe room.count < byteCount {
      unsafe room.deallocate()
      unsafe room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
    }
    let written = unsafe PackedEvents.unpack(
      chunk.bytes, firstTick: chunk.firstTick, into: room)
    return unsafe UnsafeRawBufferPointer(rebasing: room[..<written])
  }
}
