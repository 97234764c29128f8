/// Why a file could not be read as a recording.
public struct TraceReadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// The system could not read it: its words.
    case system(String)
    /// It doesn't begin as a recording does.
    case notARecording
    /// It is the live part of a recording.
    case livePart
    /// A later version of Flamelark wrote it.
    case unsupportedVersion(Int)
    /// It ends inside its header.
    case truncatedHeader(bytes: Int)
    /// Its header is damaged.
    case damagedHeader
  }

  /// What is wrong.
  public let reason: Reason
  /// The file.
  public let path: String
  /// Where in the file.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: Reason, path: String, offset: Int = 0) {
    self.reason = reason
    self.path = path
    self.offset = offset
  }

  /// One sentence: what, where, what to do.
  public var description: String {
    switch reason {
    case .system(let words):
      "can't read \(path): \(words)"
    case .notARecording:
      "\(path) is not a Flamelark recording: it doesn't begin with FLAMELRK (byte 0)"
    case .livePart:
      "\(path) is the live part of a recording; open the .lark file beside it, which takes it in"
    case .unsupportedVersion(let version):
      "\(path) has version \(version) of the format (byte 8); read it with a later Flamelark"
    case .truncatedHeader(let bytes):
      "\(path) is cut off inside its header, at byte \(bytes) of 4096; nothing of it can be read"
    case .damagedHeader:
      "the header of \(path) is damaged (byte \(offset)); nothing of it can be trusted"
    }
  }
}
