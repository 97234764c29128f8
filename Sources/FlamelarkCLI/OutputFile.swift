#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// What `-o` names, or standard output. A file that is there is never overwritten.
struct OutputFile: ~Copyable {
  private let path: String?
  private let descriptor: CInt
  private var isOpen = true
  private var isComplete = false

  /// Creates the file at a path; standard output if there is none.
  init(at path: String?) throws(Complaint) {
    self.path = path
    guard let path else {
      descriptor = STDOUT_FILENO
      return
    }
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor < 0 else { return }
    throw Complaint(
      errno == EEXIST
        ? "\(path) is there already and is not overwritten; remove it or give another name"
        : "can't write \(path): \(Terminal.errorText())")
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Complaint) {
    guard unsafe Terminal.put(bytes, on: descriptor) else {
      throw Complaint("can't write \(path ?? "to standard output"): \(Terminal.errorText())")
    }
  }

  /// Ends the file: everything was written.
  mutating func finish() throws(Complaint) {
    guard let path else { return }
    isOpen = false
    guard close(descriptor) == 0 else {
      throw Complaint("can't write \(path): \(Terminal.errorText())")
    }
    isComplete = true
  }

  deinit {
    guard let path else { return }
    if isOpen { close(descriptor) }
    // Half a file would only puzzle whoever finds it.
    if !isComplete { unsafe unlink(path) }
  }
}
