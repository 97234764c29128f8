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

/// Bytes with at least 64 readable zero bytes behind them, for the scanner that looks ahead.
///
/// It owns its memory: a mapped file, what gzip gave, or a copy.
@safe public struct PaddedBytes: ~Copyable {
  /// How many zero bytes stand behind the bytes, at least.
  public static let padding = 64

  private let file: MappedFile?
  private let owned: UnsafeMutableRawPointer?
  private let start: UnsafeRawPointer
  /// How many bytes there are, without the zeros.
  public let count: Int
  /// What was found while they were read, a cut gzip file for example.
  public let issues: [Trace.Issue]

  /// The bytes. Valid while the value lives.
  public var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Takes a mapped file, which has its zeros already. Copies nothing.
  public init(_ file: consuming MappedFile) {
    let bytes = unsafe file.bytes
    // A mapped file has a page even if it has no bytes.
    guard let base = bytes.baseAddress else { preconditionFailure("a map without an address") }
    unsafe start = base
    count = bytes.count
    self.file = consume file
    unsafe owned = nil
    issues = []
  }

  /// Copies bytes and puts the zeros behind them. O(count).
  public init(copying bytes: UnsafeRawBufferPointer) throws(ImportError) {
    guard let memory = unsafe malloc(bytes.count + Self.padding) else {
      throw ImportError(.noMemory(byteCount: bytes.count), at: 0)
    }
    if let source = bytes.baseAddress {
      unsafe memory.copyMemory(from: source, byteCount: bytes.count)
    }
    unsafe self.init(owning: memory, count: bytes.count, issues: [])
  }

  /// Takes memory of `malloc` that has room for the zeros, and writes them.
  init(owning memory: UnsafeMutableRawPointer, count: Int, issues: [Trace.Issue]) {
    unsafe memory.advanced(by: count).initializeMemory(
      as: UInt8.self, repeating: 0, count: Self.padding)
    unsafe owned = memory
    unsafe start = UnsafeRawPointer(memory)
    self.count = count
    self.issues = issues
    file = nil
  }

  /// The bytes for a scanner. It must not outlive this value.
  var text: ScanText { unsafe ScanText(base: start, count: count) }

  deinit { unsafe free(owned) }
}
