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
  private let file: OwnFile
  private var descriptor: CInt { file.descriptor }
  /// The first error of writing. What comes after it stays where it is, in the live file.
  private let failure = Atomic(CInt(0))
  private let end: Atomic<Int>
  /// Up to where blocks of the disk are taken.
  private let taken = Atomic(0)
  private static let step = 8 << 20

  /// Takes over an open, empty file and writes its header.
  init(path: String, file: OwnFile, header: FileHeader) throws(RecordingError) {
    self.path = path
    self.file = file
    end = Atomic(FileHeader.byteCount)
    let code = unsafe withUnsafeTemporaryAllocation(
      byteCount: FileHeader.byteCount, alignment: 8
    ) { bytes in
      unsafe header.encode(into: bytes)
      return unsafe Self.write(UnsafeRawBufferPointer(bytes), to: file.descriptor, at: 0)
    }
    guard code == 0 else { throw RecordingError(.cannotCreateFile, path: path, errno: code) }
  }

  /// How long the file is.
  var byteCount: Int { end.load(ordering: .relaxed) }

  /// Nothing is appended from now on.
  func close() {
    // Gives back blocks that were taken ahead. Where writing failed the file is shorter than what
    // was to be written.
    var status = stat()
    if file.state == .there, unsafe fstat(descriptor, &status) == 0 {
      ftruncate(descriptor, min(status.st_size, off_t(end.load(ordering: .relaxed))))
    }
    abandon()
  }

  /// Lets go of the file in a child of this process, for which it is not.
  func abandon() { file.close() }

  /// Writes a chunk behind the others. Threads don't wait for each other: a chunk's place is taken
  /// before it is written, and a reader steps over a place that stayed empty.
  ///
  /// Whole pages go to a multiple of their size, which saves a third of the system's work; what is
  /// before them stays empty.
  ///
  /// - Returns: 0, or the system's number of the first error, after which nothing is written: ENOENT
  ///   if the file was removed, EBADF if the program closed it.
  func append(_ chunk: UnsafeRawBufferPointer) -> CInt {
    let known = failure.load(ordering: .relaxed)
    guard known == 0 else { return known }
    let code =
      switch file.state {
      case .there: unsafe Self.write(chunk, to: descriptor, at: reserve(chunk.count))
      case .removed: ENOENT
      case .closed: EBADF
      }
    if code != 0 {
      _ = failure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }
    return code
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
      let code = FileSizeLimit.asError {
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + done))
        done += max(0, count)
        return count > 0 ? 0 : count == 0 ? ENOSPC : errno
      }
      if code != 0, code != EINTR { return code }
    }
    return 0
  }
}
