internal import CFlamelark
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
  /// Up to where blocks of the disk are taken.
  private let taken = Atomic(0)
  private static let step = 8 << 20

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
  func close() {
    // Gives back blocks that were taken ahead.
    ftruncate(descriptor, off_t(end.load(ordering: .relaxed)))
    systemClose(descriptor)
  }

  /// Writes a chunk behind the others. Threads don't wait for each other: a chunk's place is taken
  /// before it is written, and a reader steps over a place that stayed empty.
  ///
  /// Whole pages go to a multiple of their size, which saves a third of the system's work; what is
  /// before them stays empty.
  ///
  /// - Returns: 0, or the system's number of the error.
  func append(_ chunk: UnsafeRawBufferPointer) -> CInt {
    let place = reserve(chunk.count)
    return unsafe Self.write(chunk, to: descriptor, at: place)
  }

  private func reserve(_ byteCount: Int) -> Int {
    let alignment = byteCount % 4096 == 0 ? 4096 : 8
    var known = end.load(ordering: .relaxed)
    while true {
      let place = (known + alignment - 1) / alignment * alignment
      let (exchanged, now) = end.compareExchange(
        expected: known, desired: place + byteCount, ordering: .relaxed)
      if exchanged {
        takeBlocks(upTo: place + byteCount)
        return place
      }
      known = now
    }
  }

  /// Takes blocks ahead, many at a time, which is cheaper than at each write. The file's size stays
  /// what was written. Where that can't be done the writes take them.
  private func takeBlocks(upTo place: Int) {
    let before = taken.load(ordering: .relaxed)
    guard place > before else { return }
    let target = (place / Self.step + 1) * Self.step
    guard taken.compareExchange(expected: before, desired: target, ordering: .relaxed).exchanged
    else { return }
    fl_take_blocks(descriptor, Int64(before), Int64(target - before))
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
