internal import FlamelarkReport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// Standard output and error. What is written depends on the terminal in colour and width alone.
enum Terminal {
  /// Whether standard output shows colour.
  static var showsColor: Bool {
    isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
  }

  /// The columns of standard output from 80 to 100, 100 if it is no terminal.
  static var width: Int {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1,
      unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return 100 }
    return min(max(Int(size.ws_col), 80), 100)
  }

  /// Writes to standard output.
  static func print(_ bytes: [UInt8]) throws {
    guard put(bytes, on: STDOUT_FILENO) else {
      throw Complaint("can't write to standard output: \(errorText())")
    }
  }

  /// Writes a sentence to standard error, where it can be written. Names in it are made printable.
  static func say(_ sentence: String) {
    let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false).map {
      PrintableText(String($0)).text
    }
    _ = put(Array("flamelark: \(lines.joined(separator: "\n"))\n".utf8), on: STDERR_FILENO)
  }

  /// Writes all bytes; false with `errno` set if that fails.
  static func put(_ bytes: [UInt8], on descriptor: CInt) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe put($0, on: descriptor) }
  }

  /// Writes all bytes; false with `errno` set if that fails.
  static func put(_ bytes: UnsafeRawBufferPointer, on descriptor: CInt) -> Bool {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      unsafe rest = rest.dropFirst(count)
    }
    return true
  }

  /// The system's words for the last error.
  static func errorText() -> String { unsafe String(cString: strerror(errno)) }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
