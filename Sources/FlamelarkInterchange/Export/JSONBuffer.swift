#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// Text on its way out: JSON is written here and goes to the sink in large pieces.
@safe struct JSONBuffer: ~Copyable {
  /// When to empty it.
  private static let fullCount = 1 << 18
  /// What a number may need behind a full buffer.
  private static let slack = 64

  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 1 << 19
    unsafe memory = .allocate(capacity: capacity)
  }

  deinit { unsafe memory.deallocate() }

  /// Whether it should be emptied. Asked once an event.
  var isFull: Bool { count >= Self.fullCount }

  /// Hands over what there is and begins again.
  mutating func empty<E: Error>(
    into sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    guard count > 0 else { return }
    let written = count
    count = 0
    try unsafe sink(UnsafeRawBufferPointer(start: memory, count: written))
  }

  @inline(__always) private mutating func makeRoom(for byteCount: Int) {
    if count + byteCount + Self.slack > capacity { grow(by: byteCount) }
  }

  @inline(never) private mutating func grow(by byteCount: Int) {
    let greater = max(capacity * 2, count + byteCount + Self.slack)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: greater)
    unsafe grown.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = grown
    capacity = greater
  }

  /// Text that is JSON already.
  @inline(__always) mutating func put(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    makeRoom(for: length)
    unsafe (memory + count).update(from: text.utf8Start, count: length)
    count += length
  }

  /// Bytes that are JSON already.
  @inline(__always) mutating func put(_ bytes: [UInt8]) {
    makeRoom(for: bytes.count)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe (memory + count).update(from: source, count: bytes.count)
    }
    count += bytes.count
  }

  /// A string with its quotes.
  mutating func putString(_ text: String) { put(Self.quoted(text)) }

  /// A whole number.
  @inline(__always) mutating func putInteger(_ value: Int64) {
    makeRoom(for: 20)
    if value < 0 {
      unsafe memory[count] = UInt8(ascii: "-")
      count += 1
    }
    putDigits(value.magnitude)
  }

  /// Nanoseconds as microseconds with three decimals. Not negative.
  @inline(__always) mutating func putMicroseconds(_ nanoseconds: Int64) {
    precondition(nanoseconds >= 0)
    makeRoom(for: 24)
    let value = nanoseconds.magnitude
    putDigits(value / 1000)
    let rest = UInt32(truncatingIfNeeded: value % 1000)
    unsafe memory[count] = UInt8(ascii: ".")
    unsafe memory[count + 1] = UInt8(truncatingIfNeeded: 48 + rest / 100)
    unsafe memory[count + 2] = UInt8(truncatingIfNeeded: 48 + rest / 10 % 10)
    unsafe memory[count + 3] = UInt8(truncatingIfNeeded: 48 + rest % 10)
    count += 4
  }

  @inline(__always) private mutating func putDigits(_ value: UInt64) {
    var length = 1
    var bound: UInt64 = 10
    while value >= bound {
      length += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var rest = value
    var position = count + length
    repeat {
      position -= 1
      unsafe memory[position] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    } while rest > 0
    count += length
  }

  /// A text as a JSON string. Only what must be escaped is; a Swift string is always valid UTF-8.
  static func quoted(_ text: String) -> [UInt8] {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    let digits = Array("0123456789abcdef".utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        result += Array("\\u00".utf8)
        result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: result.append(byte)
      }
    }
    result.append(UInt8(ascii: "\""))
    return result
  }
}
