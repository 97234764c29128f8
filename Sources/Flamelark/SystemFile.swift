internal import CFlamelark

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Small files in which the system tells about itself.
enum SystemFile {
  /// The first line of a file, at most 255 bytes; empty if it can't be read.
  static func text(_ path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 255, alignment: 1) { bytes in
      let count = unsafe read(descriptor, bytes.baseAddress, bytes.count)
      guard count > 0 else { return "" }
      let line = unsafe bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
      return unsafe String(decoding: line, as: UTF8.self)
    }
  }

  /// How many threads this process has, nil where the system doesn't tell.
  static func threadCount() -> Int? {
    // The name of the program, which may hold anything, ends with the last of these.
    let fields = text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 17 ? Int(fields[17]) : nil
  }

  /// The name that the system has for a thread of this process.
  static func threadName(_ systemID: UInt32, of processID: UInt32) -> String {
    systemID == processID ? "main" : text("/proc/self/task/\(systemID)/comm")
  }

  /// The name of the calling thread, without opening a file.
  static func currentThreadName(_ systemID: UInt32, of processID: UInt32) -> String {
    if systemID == processID { return "main" }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      guard let base = name.baseAddress else { return "" }
      unsafe fl_thread_name(base, 64)
      return unsafe String(cString: base)
    }
  }

  /// The program that this process runs.
  static func executable() -> String {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
      guard let base = bytes.baseAddress else { return "" }
      let count = unsafe readlink(
        "/proc/self/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
      return unsafe count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : ""
    }
  }
}
