#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension Recording {
  /// Starts recording if the environment variable `FLAMELARK_RECORD` names a file.
  ///
  /// The one line that a program needs to be recorded from outside: `flamelark record` and a
  /// person's shell set the variable. `%p` in the name stands for the process id.
  ///
  /// - Returns: nil when the variable is not set or empty.
  public static func startIfRequested() throws(RecordingError) -> Recording? {
    guard let value = unsafe getenv("FLAMELARK_RECORD") else { return nil }
    let path = unsafe String(cString: value)
    return path.isEmpty ? nil : try start(writingTo: path)
  }
}
