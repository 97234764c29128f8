internal import FlamelarkFormat
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The trace file while it is written: chunks, each at the place that it reserved.
final class TraceFile: Sendable {
  let path: String
  private let descriptor: CInt
  private let end: Atomic<Int>

  /// Takes over an open, empty file and writes its header.
  init(path: String, descriptor: CInt, header: FileHeader) throws(RecordingError) {
    self.path = path
    self.descriptor = descriptor
    end = Atomic(FileHeader.byteCount)
    let code = unsafe withUnsafeTemporaryAllocation(
      byteCount: FileHeader.byteCount, alignment: 8
    ) { bytes in
      unsafe header.encode(into: bytes)
      return unsafe Self.write(UnsafeRawBufferPointer(bytes), to: descriptor, at: 0)
    }
    guard code == 0 else { throw RecordingError(.cannotCreateFile, path: path, errno: code) }
  }

  /// How long the file is.
  var byteCount: Int { end.load(ordering: .relaxed) }

  /// Nothing is appended from now on.
  func close() { systemClose(descriptor) }

  /// Writes a chunk behind the others. Threads don't wait for each other: a chunk's place is taken
  /// before it is written, and a reader steps over a place that stayed empty.
  ///
  /// - Returns: 0, or the system's number of the error.
  func append(_ chunk: UnsafeRawBufferPointer) -> CInt {
    let place = end.wrappingAdd(chunk.count, ordering: .relaxed).oldValue
    return unsafe Self.write(chunk, to: descriptor, at: place)
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at place: Int
  ) -> CInt {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        return count == 0 ? ENOSPC : errno
      }
    }
    return 0
  }
}

/// The system's `close`, where a method has its name.
private func systemClose(_ descriptor: CInt) { close(descriptor) }
