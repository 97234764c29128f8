internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Where the traces of a measurement are: in a folder that was asked for, or in one of their own,
/// which goes away with the last who knows of it, unless it is kept.
final class TraceFolder: Sendable {
  private struct Contents {
    var files: [String] = []
    var isKept: Bool
  }

  private let path: String
  private let contents: Mutex<Contents>

  /// Makes the folder, if it isn't there.
  init(keepingIn asked: String?) throws(HitchMeasurementError) {
    if let asked = asked ?? Self.variable("FLAMELARK_TRACES") {
      try Self.create(asked)
      path = asked
      contents = Mutex(Contents(isKept: true))
    } else {
      path = try Self.createTemporary()
      contents = Mutex(Contents(isKept: false))
    }
  }

  deinit {
    let contents = contents.withLock { $0 }
    guard !contents.isKept else { return }
    for file in contents.files {
      unsafe unlink(file)
      unsafe unlink(file + ".live")
    }
    unsafe rmdir(path)
  }

  /// The path of a file in it as the recorder takes it, to which %p would be the process id.
  func file(_ name: String) -> String {
    (path + "/" + name).map { $0 == "%" ? "%%" : String($0) }.joined()
  }

  /// Takes a trace in, which is then removed with the folder.
  func add(_ file: String) { contents.withLock { $0.files.append(file) } }

  /// Lets the traces stay.
  func keep() { contents.withLock { $0.isKept = true } }

  private static func createTemporary() throws(HitchMeasurementError) -> String {
    let pattern = (variable("TMPDIR") ?? "/tmp") + "/flamelark-XXXXXX"
    var bytes = Array(pattern.utf8CString)
    let made = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    guard made else { throw cannotCreate(pattern) }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a folder and those around it.
  private static func create(_ path: String) throws(HitchMeasurementError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      // What is there already, or can't be made because of that, shows below.
      unsafe mkdir(String(path[..<end]), 0o777)
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw cannotCreate(path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw cannotCreate(path, errno: ENOTDIR)
    }
  }

  private static func cannotCreate(
    _ path: String, errno code: CInt = errno
  ) -> HitchMeasurementError {
    HitchMeasurementError(.cannotCreateFolder(path, unsafe String(cString: strerror(code))))
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
