internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The live file: slots in memory that outlive the process.
///
/// Its space is allocated before it is mapped: touching a page of a sparse file on a full disk
/// kills the process with SIGBUS. Not thread-safe; ``Recorder`` holds its lock.
@safe final class LiveFile: @unchecked Sendable {
  // Unchecked: changed under the recorder's lock only; the slots have an owner each.
  let path: String
  private let file: OwnFile
  private let layout = LiveLayout.standard
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var free: [UnsafeMutableRawPointer] = unsafe []
  private(set) var failure: CInt = 0

  /// Takes over an open, empty file and makes the first block.
  init(path: String, file: OwnFile, header: FileHeader) throws(RecordingError) {
    self.path = path
    self.file = file
    // Held while the process lives: a reader that gets it knows that the program is gone.
    flock(file.descriptor, LOCK_EX | LOCK_NB)
    guard addBlock() else { throw RecordingError(.cannotCreateFile, path: path, errno: failure) }
    var header = header
    header.kind = .live
    header.live = layout
    let code = unsafe withUnsafeTemporaryAllocation(
      byteCount: FileHeader.byteCount, alignment: 8
    ) { bytes in
      unsafe header.encode(into: bytes)
      return unsafe pwrite(file.descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        ? 0 : errno
    }
    guard code == 0 else { throw RecordingError(.cannotCreateFile, path: path, errno: code) }
  }

  deinit { unsafe blocks.forEach { unsafe munmap($0, layout.blockByteCount) } }

  /// Lets go of the file, which unlocks it. The memory stays for threads that still point to it.
  func close(removing: Bool) {
    if removing { unsafe unlink(path) }
    abandon()
  }

  /// Lets go of the file in a child of this process, for which it is not.
  func abandon() { file.close() }

  /// Whether a slot can be had without making the file longer.
  var hasFreeSlot: Bool { unsafe !free.isEmpty }

  /// An empty slot for a thread, nil if there is no space for more.
  func takeSlot(threadKey: UInt32) -> UnsafeMutableRawPointer? {
    if unsafe free.isEmpty, !addBlock() { return nil }
    guard let slot = unsafe free.popLast() else { return nil }
    unsafe slot.storeBytes(of: threadKey, toByteOffset: Slot.threadKey, as: UInt32.self)
    unsafe slot.storeBytes(of: 1, toByteOffset: Slot.sequence, as: UInt32.self)
    unsafe slot.storeBytes(of: 0, toByteOffset: Slot.sealed, as: UInt32.self)
    unsafe slot.storeBytes(of: 0, toByteOffset: Slot.lastChunk, as: UInt32.self)
    for count in Slot.counts {
      unsafe slot.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
    }
    unsafe storeRelease(1, in: slot, at: Slot.state)
    return unsafe slot
  }

  /// So many empty slots for a thread, none if there is no space for all.
  func takeSlots(_ count: Int, threadKey: UInt32) -> [UnsafeMutableRawPointer] {
    var slots: [UnsafeMutableRawPointer] = unsafe []
    for _ in 0..<count {
      guard let slot = unsafe takeSlot(threadKey: threadKey) else {
        unsafe slots.forEach { unsafe giveBack($0) }
        return unsafe []
      }
      unsafe slots.append(slot)
    }
    return unsafe slots
  }

  /// Takes back a slot whose content was written.
  func giveBack(_ slot: UnsafeMutableRawPointer) {
    unsafe storeRelease(0, in: slot, at: Slot.state)
    unsafe free.append(slot)
  }

  /// Spans around `await` that have not ended: start tick, task and call site of each.
  var openTaskSpans: [fl_open_task_span] {
    unsafe blocks.flatMap { block in
      (0..<layout.slotsPerBlock).flatMap { slot in
        let place = unsafe block + slot * layout.slotByteCount + Slot.openTaskSpans
        let spans = unsafe place.assumingMemoryBound(to: fl_open_task_span.self)
        return (0..<Slot.openTaskSpanCount).compactMap { index in
          let span = unsafe spans + index
          // What is in it was stored before its start.
          let start = unsafe fl_load_acquire(&span.pointee.start)
          return unsafe start == 0 ? nil : span.pointee
        }
      }
    }
  }

  private func addBlock() -> Bool {
    let place = unsafe FileHeader.byteCount + blocks.count * layout.blockByteCount
    let code =
      file.state == .closed
      ? EBADF
      : FileSizeLimit.asError {
        posix_fallocate(file.descriptor, off_t(place), off_t(layout.blockByteCount))
      }
    guard code == 0 else {
      failure = code
      return false
    }
    let mapped = unsafe mmap(
      nil, layout.blockByteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor,
      off_t(place))
    guard let block = unsafe mapped, unsafe block != MAP_FAILED else {
      failure = errno
      return false
    }
    unsafe blocks.append(block)
    for index in (0..<layout.slotsPerBlock).reversed() {
      unsafe free.append(block + index * layout.slotByteCount)
    }
    return true
  }
}

/// Stores a word so that it is seen, in this process's memory and in the file, after all before it.
func storeRelease(_ value: UInt32, in slot: UnsafeMutableRawPointer, at offset: Int) {
  unsafe fl_store_release(slot.advanced(by: offset).assumingMemoryBound(to: UInt32.self), value)
}
