#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// A file's bytes, mapped read-only, with at least 64 readable zero bytes behind them.
///
/// The zeros let a scanner load 16 bytes at the last one. Bytes that the file loses after it was
/// mapped read as zeros at best: the reader must not trust them twice.
@safe public struct MappedFile: ~Copyable {
  private let base: UnsafeMutableRawPointer
  private let mappedByteCount: Int
  /// How many bytes the file had when it was opened.
  public let count: Int

  /// The bytes of the file. Valid while the value lives.
  public var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Maps a file.
  public init(path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    let count = Int(status.st_size)
    let page = Int(sysconf(CInt(_SC_PAGESIZE)))
    let fileBytes = (count + page - 1) / page * page
    // An anonymous map one page longer, the file laid over its beginning: the page behind stays.
    let mapped = unsafe mmap(
      nil, fileBytes + page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let base = unsafe mapped, unsafe base != MAP_FAILED else {
      throw FileError(path: path, errno: errno)
    }
    if count > 0 {
      let file = unsafe mmap(base, count, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
      guard unsafe file != MAP_FAILED else {
        let code = errno
        unsafe munmap(base, fileBytes + page)
        throw FileError(path: path, errno: code)
      }
    }
    unsafe self.base = base
    self.mappedByteCount = fileBytes + page
    self.count = count
  }

  deinit { unsafe munmap(base, mappedByteCount) }
}

/// Why a file could not be read.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The system's number of the error.
  public let errno: CInt

  /// Creates an error.
  public init(path: String, errno: CInt) {
    self.path = path
    self.errno = errno
  }

  /// The system's words for it.
  public var words: String { unsafe String(cString: strerror(errno)) }

  /// The system's words for it, and the file.
  public var description: String { "can't read \(path): \(words)" }
}
