internal import FlamelarkInterchange
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

/// What `-o` names, or standard output. A file that is there is never overwritten.
struct OutputFile: ~Copyable {
  private let path: String?
  private let descriptor: CInt
  private var isOpen = true
  private var isComplete = false

  /// Creates the file at a path; standard output if there is none.
  init(at path: String?) throws(Complaint) {
    // Before any member is set: a value that is not there yet has no end that would remove the file.
    let descriptor = try path.map { path throws(Complaint) in try Self.create(path) }
    self.path = path
    self.descriptor = descriptor ?? STDOUT_FILENO
  }

  private static func create(_ path: String) throws(Complaint) -> CInt {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor < 0 else { return descriptor }
    throw Complaint(
      errno == EEXIST
        ? "\(path) is there already and is not overwritten; remove it or give another name"
        : "can't write \(path): \(Terminal.errorText())")
  }

  /// Writes what `body` gives to a sink: to the file at a path, through gzip if its name says so, or to
  /// standard output if the path is `-`.
  static func write<Result>(
    at path: String,
    _ body: ((UnsafeRawBufferPointer) throws(Complaint) -> Void) throws(Complaint) -> Result
  ) throws(Complaint) -> Result {
    var output = try OutputFile(at: path == "-" ? nil : path)
    let result: Result
    if OutputName(path).isGzip {
      var gzip = GzipStream()
      result = try unsafe body { bytes throws(Complaint) in
        try unsafe gzip.write(bytes) { packed throws(Complaint) in try unsafe output.write(packed) }
      }
      try unsafe gzip.finish { packed throws(Complaint) in try unsafe output.write(packed) }
    } else {
      result = try unsafe body { bytes throws(Complaint) in try unsafe output.write(bytes) }
    }
    try output.finish()
    return result
  }

  /// The name without `-o`, in the folder of the file: `game.lark` becomes `game.blame.svg`.
  static func name(beside file: String, _ ending: String) -> String {
    "\(file.hasSuffix(".lark") ? String(file.dropLast(5)) : file).\(ending)"
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
