import Foundation
import Testing

/// A whole report as it should be: a file in the folder `Golden`.
enum Golden {
  /// Compares a text with a file. With `FLAMELARK_GOLDEN=write` in the environment the file is written
  /// anew, and the test fails.
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["FLAMELARK_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: file)
      Issue.record("\(name) was written", sourceLocation: sourceLocation)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let first = zip(lines, wanted).first { $0 != $1 }
    #expect(
      text == expected,
      "\(name) differs, first in: \(first?.0 ?? "its length") instead of \(first?.1 ?? "")",
      sourceLocation: sourceLocation)
  }
}
