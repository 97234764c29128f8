internal import FlamelarkFormat

/// The change of several words of a slot in which a program may have been killed.
enum SlotStep {
  /// Undoes the change, or completes it if it had turned, so that the slot says each thing once.
  ///
  /// What makes no sense is left as it is.
  static func settle(_ slot: UnsafeMutableRawBufferPointer) {
    let bytes = UnsafeRawBufferPointer(slot)
    func offset(at place: Int) -> Int {
      unsafe Int(bytes.integer(at: Slot.step + place, as: UInt32.self))
    }
    let state = offset(at: 0)
    let (target, source, record) = (offset(at: 4), offset(at: 8), offset(at: 12))
    let saved = unsafe UnsafeRawBufferPointer(rebasing: bytes[Slot.step + 24..<Slot.step + 88])
    guard (1...2).contains(state), target + saved.count <= Slot.chunk, source + 8 <= Slot.chunk,
      record == 0 || (Slot.records..<Slot.byteCount - 16).contains(record)
    else { return }
    let isWritten = unsafe record != 0 && bytes.integer(at: record + 8, as: UInt64.self) != 0
    if state == 2 || isWritten {
      unsafe slot.store(integer: bytes.integer(at: Slot.step + 16, as: UInt64.self), at: source)
    } else {
      // The target may overlap what was saved only in a damaged file: memory is moved.
      unsafe UnsafeMutableRawBufferPointer(rebasing: slot[target..<target + saved.count])
        .copyMemory(from: saved)
    }
  }
}
