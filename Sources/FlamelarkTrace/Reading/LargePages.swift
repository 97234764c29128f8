#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// Memory in pages of 2 MiB: the first touch of each page costs, and 4 KiB ones are many.
enum LargePages {
  private static let byteCount = 1 << 21

  /// Asks for large pages in the part of some memory that consists of them. It is advice: where the
  /// system has none, nothing changes.
  static func advise(_ memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
    guard let start = memory.baseAddress else { return }
    let count = memory.count
    let address = Int(bitPattern: start)
    let first = (address + byteCount - 1) / byteCount * byteCount
    let last = (address + count) / byteCount * byteCount
    guard first < last else { return }
    unsafe madvise(start + (first - address), last - first, CInt(MADV_HUGEPAGE))
    #endif
  }
}
