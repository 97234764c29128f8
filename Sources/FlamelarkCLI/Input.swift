internal import FlamelarkInterchange
internal import FlamelarkReport
internal import FlamelarkTrace

/// The file that a command reads.
enum Input {
  /// Reads a trace of any kind. The kind is told from the content.
  static func trace(at path: String) throws -> Trace {
    do {
      let file = try MappedFile(path: path)
      switch unsafe InputKind.detect(file.bytes) {
      case .flamelark, .flamelarkLive: return try Trace(contentsOf: path)
      case .gzip:
        let bytes = try unsafe PaddedBytes(decompressing: file.bytes)
        withExtendedLifetime(file) {}
        return try Trace(traceEvents: bytes)
      case .json, .utf16, .empty, .unknown:
        return try Trace(traceEvents: PaddedBytes(file))
      }
    } catch let error as ImportError {
      throw Complaint("\(path): \(error)")
    }
  }
}
