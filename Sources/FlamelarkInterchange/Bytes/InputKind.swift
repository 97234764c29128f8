/// What a file is, by its first bytes. Its name doesn't count.
public enum InputKind: String, Sendable, CaseIterable {
  /// A trace file of Flamelark.
  case flamelark
  /// The live file beside a trace file that is being written.
  case flamelarkLive = "flamelark-live"
  /// Compressed by gzip; what is inside is known after ``PaddedBytes/unpacking(_:limit:)``.
  case gzip
  /// JSON that begins with an array or an object: Trace Event JSON, if it is a trace.
  case json
  /// Text in UTF-16.
  case utf16
  /// No bytes.
  case empty
  /// None of these.
  case unknown

  /// Looks at the first bytes of a file.
  public static func detect(_ bytes: UnsafeRawBufferPointer) -> InputKind {
    func begins(with prefix: [UInt8]) -> Bool {
      unsafe bytes.count >= prefix.count && prefix.elementsEqual(bytes.prefix(prefix.count))
    }
    if unsafe bytes.isEmpty { return .empty }
    if begins(with: Array("FLAMELRK".utf8)) { return .flamelark }
    if begins(with: Array("FLAMELIV".utf8)) { return .flamelarkLive }
    if begins(with: [0x1F, 0x8B]) { return .gzip }
    if begins(with: [0xFF, 0xFE]) || begins(with: [0xFE, 0xFF]) { return .utf16 }
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for position in start..<bytes.count {
      switch unsafe bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): return .json
      default: return .unknown
      }
    }
    return .unknown
  }
}
