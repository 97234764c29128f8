#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Where the recorder says what nobody else would: one line at a time.
enum StandardError {
  static func say(_ sentence: String) {
    let line = "flamelark: \(sentence)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  }
}
