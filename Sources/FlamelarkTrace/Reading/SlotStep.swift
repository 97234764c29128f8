internal import FlamelarkFormat

/// The change of several words of a slot in which a program may have been killed.
struct SlotStep {
  private let isTurned: Bool
  private let target: Int
  private let source: Int
  private let value: UInt64
  private let saved: [UInt8]
  /// The record with which it turns: its place in the thread's slot with a number.
  let record: (sequence: UInt32, offset: Int)?

  /// nil if no change is being made, or what is there makes no sense.
  init?(_ slot: UnsafeRawBufferPointer) {
    let bytes = unsafe UnsafeRawBufferPointer(
      rebasing: slot[Slot.step..<Slot.step + Slot.stepByteCount])
    func half(_ offset: Int) -> UInt32 { unsafe bytes.integer(at: offset, as: UInt32.self) }
    target = Int(half(4))
    source = Int(half(8))
    let offset = Int(half(12))
    record = offset == 0 ? nil : (half(16), offset)
    value = unsafe bytes.integer(at: 24, as: UInt64.self)
    saved = unsafe Array(bytes[32...])
    isTurned = half(0) == 2
    guard (1...2).contains(half(0)), target + saved.count <= Slot.chunk, source + 8 <= Slot.chunk,
      offset == 0 || (Slot.records..<Slot.byteCount - 16).contains(offset)
    else { return nil }
  }

  /// Undoes the change, or completes it if it had turned, so that the slot says each thing once.
  func settle(_ slot: UnsafeMutableRawBufferPointer, recordIsWritten: Bool) {
    if isTurned || recordIsWritten {
      unsafe slot.store(integer: value, at: source)
    } else {
      unsafe UnsafeMutableRawBufferPointer(rebasing: slot[target..<target + saved.count])
        .copyBytes(from: saved)
    }
  }
}
