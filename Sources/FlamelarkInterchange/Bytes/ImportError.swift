/// Why bytes could not become a trace: one sentence, with the byte where it showed.
public struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// There are no bytes.
    case empty
    /// The bytes are of another kind.
    case notATrace(found: String)
    /// JSON without a list of events.
    case noEvents
    /// It was cut before the first event.
    case cutBeforeFirstEvent
    /// It has samples and no begun or ended scope.
    case samplesOnly
    /// It has events, and none of them is a scope, an instant or a counter.
    case noScopes(found: String)
    /// More events than a trace can hold.
    case tooManyEvents
    /// Not a gzip file, or damaged at its beginning.
    case damagedGzip
    /// More bytes than the limit once decompressed.
    case tooLarge(limit: Int)
    /// The system gave no memory for this many bytes.
    case noMemory(byteCount: Int)
  }

  /// What is wrong.
  public let reason: Reason
  /// The byte where it showed.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One sentence: what, where, and what to do.
  public var description: String {
    switch reason {
    case .empty:
      "not a trace: the file is empty; record again"
    case .notATrace(let found):
      "not a trace: \(found) at byte \(offset); give a .lark file or Trace Event JSON"
    case .noEvents:
      "not a trace: JSON without traceEvents, read to byte \(offset); "
        + "give Trace Event JSON, an array of events or an object with traceEvents"
    case .cutBeforeFirstEvent:
      "no events: the file was cut at byte \(offset), before its first event; record again"
    case .samplesOnly:
      "no scopes; samples only: this file says where the program was at moments, not when its "
        + "functions began and ended (first at byte \(offset)); record it with scopes"
    case .noScopes(let found):
      "no scopes: no event up to byte \(offset) begins or ends one (\(found)); record it with scopes"
    case .tooManyEvents:
      "too many events: more than \(UInt32.max - 1) up to byte \(offset); cut the file"
    case .damagedGzip:
      "not a trace: the gzip data is damaged at byte \(offset); compress the file again"
    case .tooLarge(let limit):
      "too large: more than \(limit) bytes once decompressed (at byte \(offset) of the gzip data); "
        + "decompress it with gunzip and give the result"
    case .noMemory(let byteCount):
      "not enough memory for \(byteCount) bytes of decompressed data (at byte \(offset)); "
        + "decompress it with gunzip and give the result"
    }
  }
}
