internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The trace file while it is written: chunks, each at the place that it reserved.
///
/// It is divided into pieces of 64 KB. A full chunk takes a piece of its own, which the system takes
/// in at once and in two thirds of the time of one that lies across; smaller chunks share pieces.
final class TraceFile: Sendable {
  let path: String
  private let file: OwnFile
  private var descriptor: CInt { file.descriptor }
  /// The first error of writing. What comes after it stays where it is, in the live file.
  private let failure = Atomic(CInt(0))
  /// Where the pieces end that are taken.
  private let end = Atomic(TraceFile.piece)
  /// Where the next small chunk goes, in a piece for those; at the end of one there is no room.
  private let small = Atomic(FileHeader.byteCount)
  /// Up to where blocks of the disk are taken.
  private let taken = Atomic(0)
  private static let step = 8 << 20
  private static let piece = Slot.chunkByteCount

  /// Takes over an open, empty file and writes its header.
  init(path: String, file: OwnFile, header: FileHeader) throws(RecordingError) {
    self.path = path
    self.file = file
    let code = unsafe withUnsafeTemporaryAllocation(
      byteCount: FileHeader.byteCount, alignment: 8
    ) { bytes in
      unsafe header.encode(into: bytes)
      return unsafe Self.write(UnsafeRawBufferPointer(bytes), to: file.descriptor, at: 0)
    }
    guard code == 0 else { throw RecordingError(.cannotCreateFile, path: path, errno: code) }
  }

  /// How long the file is.
  var byteCount: Int {
    let (end, small) = (end.load(ordering: .relaxed), small.load(ordering: .relaxed))
    return end - small < Self.piece ? small : end
  }

  /// Nothing is appended from now on.
  func close() {
    // Gives back blocks that were taken ahead. Where writing failed the file is shorter than what
    // was to be written.
    var status = stat()
    if file.state == .there, unsafe fstat(descriptor, &status) == 0 {
      ftruncate(descriptor, min(status.st_size, off_t(byteCount)))
    }
    abandon()
  }

  /// Lets go of the file in a child of this process, for which it is not.
  func abandon() { file.close() }

  /// Writes a chunk behind the others, or into a gap between them. Threads don't wait for each
  /// other: a chunk's place is taken before it is written, and a reader steps over a place that
  /// stayed empty.
  ///
  /// - Returns: 0, or the system's number of the first error, after which nothing is written: ENOENT
  ///   if the file was removed, EBADF if the program closed it.
  func append(_ chunk: UnsafeRawBufferPointer) -> CInt {
    let known = failure.load(ordering: .relaxed)
    guard known == 0 else { return known }
    let code =
      switch file.state {
      case .there: unsafe Self.write(chunk, to: descriptor, at: place(for: chunk.count))
      case .removed: ENOENT
      case .closed: EBADF
      }
    if code != 0 {
      _ = failure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }
    return code
  }

  private func place(for byteCount: Int) -> Int {
    byteCount < Self.piece ? takeSmall(byteCount) : takePieces(for: byteCount)
  }

  private func takePieces(for byteCount: Int) -> Int {
    let whole = (byteCount + Self.piece - 1) / Self.piece * Self.piece
    let place = end.add(whole, ordering: .relaxed).oldValue
    takeBlocks(upTo: place + whole)
    return place
  }

  private func takeSmall(_ byteCount: Int) -> Int {
    var known = small.load(ordering: .relaxed)
    while byteCount <= (Self.piece - known % Self.piece) % Self.piece {
      let (exchanged, now) = small.compareExchange(
        expected: known, desired: known + byteCount, ordering: .relaxed)
      if exchanged { return known }
      known = now
    }
    let place = takePieces(for: byteCount)
    // If another thread was quicker the rest of this piece stays empty.
    _ = small.compareExchange(
      expected: known, desired: place + byteCount, ordering: .relaxed)
    return place
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
