internal import FlamelarkReport
internal import FlamelarkTrace

/// The file that a command reads.
enum Input {
  /// Reads a trace of any kind. The kind is told from the content.
  static func trace(at path: String) throws -> Trace {
    _ = try MappedFile(path: path)
    throw Complaint("\(PrintableText(path).text) is no trace")
  }
}
