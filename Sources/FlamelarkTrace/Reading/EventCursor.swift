internal import FlamelarkFormat

/// Goes through the records of a thread, one after the other.
@safe struct EventCursor {
  private let bytes: UnsafeRawBufferPointer
  /// Where the record is.
  private(set) var place = 0
  private var next = 0

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Goes to the next record. false at the end, or where the bytes are no record.
  @inline(__always)
  mutating func advance() -> Bool {
    guard unsafe next + 16 <= bytes.count else { return false }
    place = next
    let word = word1
    if !word.isOfExtendedRecord {
      guard word != 0 else { return false }
      next = place + 16
      return true
    }
    let byteCount = Int(word >> 40 & 0xFF) * 16
    guard byteCount > 0, unsafe place + byteCount <= bytes.count else { return false }
    next = place + byteCount
    return true
  }

  @inline(__always)
  var word0: UInt64 { unsafe bytes.integer(at: place, as: UInt64.self) }
  @inline(__always)
  var word1: UInt64 { unsafe bytes.integer(at: place + 8, as: UInt64.self) }
  /// The record's bytes.
  var record: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<next])
  }

  /// Where the record ends, 0 before the first.
  var endOfRecord: Int { next }

  /// A word of an extended record; 0 where the record is shorter.
  func word(_ index: Int) -> UInt64 {
    place + index * 8 + 8 <= next ? unsafe bytes.integer(at: place + index * 8, as: UInt64.self) : 0
  }

  @inline(__always)
  var isSpan: Bool { !word1.isOfExtendedRecord }
  var kind: EventRecord.Kind? { EventRecord.Kind(rawValue: UInt8(word1 >> 32 & 0xFF)) }
  var identifier: UInt32 { UInt32(truncatingIfNeeded: word1 & EventRecord.identifierMask) }
  var detail: UInt16 { UInt16(word1 >> 48) }

  /// The bytes up to the first record that was not written.
  static func completeByteCount(of bytes: UnsafeRawBufferPointer) -> Int {
    var cursor = unsafe EventCursor(bytes)
    while cursor.advance() {}
    return cursor.next
  }
}

/// Goes through the records of a definitions chunk.
@safe struct DefinitionCursor {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var next = 0

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  mutating func advance() -> Bool {
    guard unsafe next + DefinitionRecord.headerByteCount <= bytes.count else { return false }
    let byteCount = Int(unsafe bytes.integer(at: next, as: UInt32.self))
    guard byteCount >= DefinitionRecord.headerByteCount, byteCount % 8 == 0,
      unsafe next + byteCount <= bytes.count
    else { return false }
    place = next
    next += byteCount
    return true
  }

  var kind: DefinitionRecord.Kind? {
    DefinitionRecord.Kind(rawValue: unsafe bytes.integer(at: place + 4, as: UInt16.self))
  }

  /// How many bytes the body has.
  var byteCount: Int { next - place - DefinitionRecord.headerByteCount }

  /// An integer of the body, 0 where the body is shorter.
  func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self)
    -> T
  {
    guard offset + T.bitWidth / 8 <= byteCount else { return 0 }
    return unsafe bytes.integer(at: place + DefinitionRecord.headerByteCount + offset, as: T.self)
  }

  /// Text of the body; what is not UTF-8 is replaced.
  func text(at offset: Int, byteCount count: Int) -> String {
    let start = place + DefinitionRecord.headerByteCount + offset
    let end = min(next, start + max(0, count))
    guard start < end else { return "" }
    return unsafe String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The bytes up to the first record that was not written.
  static func completeByteCount(of bytes: UnsafeRawBufferPointer) -> Int {
    var cursor = unsafe DefinitionCursor(bytes)
    while cursor.advance() {}
    return cursor.next
  }
}
