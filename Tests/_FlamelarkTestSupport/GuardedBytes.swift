#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Bytes that end where memory does: whoever reads one more is killed.
@safe public final class GuardedBytes {
  private let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let page = Int(sysconf(CInt(_SC_PAGESIZE)))

  /// Room for `capacity` bytes.
  public init(capacity: Int) {
    byteCount = (capacity + page - 1) / page * page
    let mapped = unsafe mmap(
      nil, byteCount + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED,
      unsafe mprotect(mapped + byteCount, page, PROT_NONE) == 0
    else { fatalError("no memory to guard") }
    unsafe base = mapped
  }

  deinit { unsafe munmap(base, byteCount + page) }

  /// Calls `body` with a copy of some bytes that ends in front of the guard.
  public func withBytes(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    precondition(bytes.count <= byteCount)
    let start = unsafe base + (byteCount - bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      unsafe start.copyMemory(from: first, byteCount: bytes.count)
    }
    unsafe body(UnsafeRawBufferPointer(start: start, count: bytes.count))
  }
}
