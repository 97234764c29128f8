/// Bytes by position, for a scanner that looks a few bytes ahead without asking for the end.
///
/// A load at any position up to and including ``count`` may reach 63 bytes further: there are
/// zeros. No zero is part of JSON, so every loop over text ends there. The value doesn't own the
/// bytes: whoever makes one keeps the ``PaddedBytes`` alive.
@safe struct ScanText {
  private let base: UnsafeRawPointer
  let count: Int

  init(base: UnsafeRawPointer, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inline(__always) func byte(_ position: Int) -> UInt8 {
    assert(position >= 0 && position < count + PaddedBytes.padding)
    return unsafe base.load(fromByteOffset: position, as: UInt8.self)
  }

  @inline(__always) func four(_ position: Int) -> UInt32 {
    assert(position >= 0 && position + 4 <= count + PaddedBytes.padding)
    return UInt32(
      littleEndian: unsafe base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  @inline(__always) func eight(_ position: Int) -> UInt64 {
    assert(position >= 0 && position + 8 <= count + PaddedBytes.padding)
    return UInt64(
      littleEndian: unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The bytes of a range, for code that decodes them.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Array(
      UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(
          start: base, count: count)[range]))
  }

  /// Whether a text stands at a position.
  func has(_ expected: StaticString, at position: Int) -> Bool {
    let length = expected.utf8CodeUnitCount
    guard position + length <= count else { return false }
    return unsafe UnsafeRawBufferPointer(start: base + position, count: length).elementsEqual(
      UnsafeBufferPointer(start: expected.utf8Start, count: length))
  }

  /// Whether a string, without its quotes, is this text.
  func isText(_ range: Range<Int>, _ expected: StaticString) -> Bool {
    range.count == expected.utf8CodeUnitCount && has(expected, at: range.lowerBound)
  }

  /// Whether two ranges of the same length hold the same bytes.
  @inline(__always) func areEqual(_ a: Int, _ b: Int, count length: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= length {
      if eight(a &+ offset) != eight(b &+ offset) { return false }
      offset &+= 8
    }
    let rest = length &- offset
    guard rest > 0 else { return true }
    return (eight(a &+ offset) ^ eight(b &+ offset)) << UInt64(64 &- rest &* 8) == 0
  }
}

extension ScanText {
  /// The first position from here that holds no white space.
  @inline(__always) func afterSpace(_ position: Int) -> Int {
    var p = position
    while true {
      let byte = byte(p)
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return p }
      p &+= 1
    }
  }

  /// The position of the quote that ends the string whose first byte stands here; nil: none does.
  @inline(__always) func stringEnd(_ position: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var p = position
    while p < count {
      let word = eight(p)
      let quotes = word ^ ones &* 0x22
      let backslashes = word ^ ones &* 0x5C
      // The lowest flag is true; one above it may be false, and is not looked at.
      let found = ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & high
      guard found != 0 else {
        p &+= 8
        continue
      }
      p &+= found.trailingZeroBitCount &>> 3
      if p >= count { return nil }
      if byte(p) == 0x22 { return p }
      p &+= 2
    }
    return nil
  }

  /// The position behind the object or array that begins here; nil: it doesn't end.
  ///
  /// Counts brackets outside of strings and doesn't ask whether they match.
  func afterNested(_ position: Int) -> Int? {
    var p = position
    var depth = 0
    while p < count {
      switch byte(p) {
      case UInt8(ascii: "\""):
        guard let end = stringEnd(p + 1) else { return nil }
        p = end + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        p += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        p += 1
        if depth <= 0 { return p }
      default: p += 1
      }
    }
    return nil
  }

  /// The position behind a number or a word: up to a comma, a bracket or white space.
  @inline(__always) func afterLiteral(_ position: Int) -> Int {
    var p = position
    while p < count {
      switch byte(p) {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"),
        UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
        return p
      default: p += 1
      }
    }
    return p
  }

  /// The position behind any value; nil: it doesn't end, or there is none.
  func afterValue(_ position: Int) -> Int? {
    guard position < count else { return nil }
    switch byte(position) {
    case UInt8(ascii: "\""): return stringEnd(position + 1).map { $0 + 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return afterNested(position)
    default:
      let end = afterLiteral(position)
      return end > position ? end : nil
    }
  }
}
