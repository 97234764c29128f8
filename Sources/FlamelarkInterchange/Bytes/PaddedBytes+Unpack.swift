public import FlamelarkTrace

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

extension PaddedBytes {
  /// The text in a file: decompressed if gzip made it, in UTF-8 if it is UTF-16, else as it is.
  ///
  /// What ``InputKind`` finds in the result, other than these two, is for the caller to open.
  public static func unpacking(
    _ file: consuming MappedFile, limit: Int = PaddedBytes.standardLimit
  ) throws(ImportError) -> PaddedBytes {
    switch unsafe InputKind.detect(file.bytes) {
    case .gzip: try unsafe PaddedBytes(decompressing: file.bytes, limit: limit)
    case .utf16: try unsafe PaddedBytes(utf16: file.bytes)
    default: PaddedBytes(file)
    }
  }

  /// UTF-16 with its byte order mark, as some systems save text, in UTF-8. Lone surrogates become
  /// U+FFFD.
  public init(utf16 data: UnsafeRawBufferPointer) throws(ImportError) {
    let isLittle = unsafe data.first == 0xFF
    let units = max(data.count - 2, 0) / 2
    // A unit becomes three bytes at most; a pair of two becomes four.
    guard let memory = unsafe malloc(units * 3 + Self.padding) else {
      throw ImportError(.noMemory(byteCount: units * 3), at: 0)
    }
    var count = 0
    var decoder = UTF16()
    var iterator = (0..<units).lazy.map { unit -> UInt16 in
      let first = UInt16(unsafe data[2 + unit * 2])
      let second = UInt16(unsafe data[3 + unit * 2])
      return isLittle ? second << 8 | first : first << 8 | second
    }.makeIterator()
    decoding: while true {
      let scalar: Unicode.Scalar
      switch decoder.decode(&iterator) {
      case .scalarValue(let value): scalar = value
      case .error: scalar = "\u{FFFD}"
      case .emptyInput: break decoding
      }
      UTF8.encode(scalar) { byte in
        unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
      }
    }
    unsafe self.init(owning: memory, count: count, issues: [])
  }
}
