#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Why a recording could not start or was not written whole.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What failed.
  public enum Reason: Sendable {
    /// This process records already.
    case alreadyRecording
    /// The depth limit is not in 1…255, the least duration is negative, or the environment says
    /// neither.
    case invalidOptions
    /// The trace file or the live file could not be made.
    case cannotCreateFile
    /// The file could not be written to its end; what was not written is in the live file.
    case cannotWriteFile
    /// The trace file was removed while it was written.
    case fileRemoved
    /// `FLAMELARK_SIGNALS` is set, and the program asked for it when other threads were there.
    case tooLateForSignals
  }

  /// What failed.
  public let reason: Reason
  /// The file concerned.
  public let path: String
  /// The system's number of the error, 0 if it was none of the system's.
  public let errno: CInt

  init(_ reason: Reason, path: String, errno: CInt = 0) {
    self.reason = reason
    self.path = path
    self.errno = errno
  }

  /// One sentence: what failed, which file, what to do.
  public var description: String {
    let system = unsafe errno == 0 ? "" : ": \(String(cString: strerror(errno)))"
    return switch reason {
    case .alreadyRecording:
      "this process already records; stop that recording before starting \(path)"
    case .invalidOptions:
      "can't record to \(path): the depth limit must be 1…255 and the least duration 0 or more "
        + "(as in FLAMELARK_MAXIMUM_DEPTH=64, FLAMELARK_MINIMUM_DURATION=50us and "
        + "FLAMELARK_FILTERS='name=tile,minimum=1ms;category=text,depth=3')"
    case .cannotCreateFile:
      "can't create \(path)\(system); choose a folder that can be written and has space"
    case .cannotWriteFile:
      "\(path) could not be written to its end\(system); keep its .live file, it holds the rest"
    case .fileRemoved:
      "\(path) was removed while it was recorded, and the recording with it; keep such files until "
        + "the program has ended"
    case .tooLateForSignals:
      "can't record to \(path) by signals\(system); call startIfRequested() before other threads start"
    }
  }
}
