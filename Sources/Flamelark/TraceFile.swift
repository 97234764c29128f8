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
  private let descriptor: CInt
  /// Where the pieces end that are taken.
  private let end = Atomic(TraceFile.piece)
  /// Where the next small chunk goes, in a piece for those; at the end of one there is no room.
  private let small = Atomic(FileHeader.byteCount)
  /// Up to where blocks of the disk are taken.
  private let taken = Atomic(0)
  private static let step = 8 << 20
  private static let piece = Slot.chunkByteCount

  /// Takes over an open, empty file and writes its header.
  init(path: String, descriptor: CInt, header: FileHeader) throws(RecordingError) {
    self.path = path
    self.descriptor = descriptor
    let code = unsafe withUnsafeTemporaryAllocation(
      byteCount: FileHeader.byteCount, alignment: 8
    ) { bytes in
      unsafe header.encode(into: bytes)
      return unsafe Self.write(UnsafeRawBufferPointer(bytes), to: descriptor, at: 0)
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
    // Gives back blocks that were taken ahead.
    ftruncate(descriptor, off_t(byteCount))
    systemClose(descriptor)
  }

  /// Writes a chunk behind the others, or into a gap between them. Threads don't wait for each
  /// other: a chunk's place is taken before it is written, and a reader steps over a place that
  /// stayed empty.
  ///
  /// - Returns: 0, or the system's number of the error.
  func append(_ chunk: UnsafeRawBufferPointer) -> CInt {
    let place = chunk.count < Self.piece ? takeSmall(chunk.count) : takePieces(for: chunk.count)
    return unsafe Self.write(chunk, to: descriptor, at: place)
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
