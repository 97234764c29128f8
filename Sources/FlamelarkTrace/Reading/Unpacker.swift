internal import FlamelarkFormat

/// The records of chunks, packed or not.
@safe final class Unpacker {
  /// The records of a chunk: in its file.
  func records(of chunk: borrowing Chunk) -> UnsafeRawBufferPointer { unsafe chunk.bytes }
}
