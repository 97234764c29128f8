import Foundation
import Testing

/// Reads an XML file with a parser that isn't ours.
struct NamesOfXML {
  /// The first line of each `title`, nil if the file is no XML.
  func titles(in bytes: [UInt8]) throws -> [String]? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import json, sys, xml.etree.ElementTree as tree
      root = tree.fromstring(sys.stdin.buffer.read())
      titles = [t.text for t in root.iter("{http://www.w3.org/2000/svg}title")]
      sys.stdout.write(json.dumps([t.rsplit("\\n", 1)[0] for t in titles]))
      """,
    ]
    let place = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
    let files = ["in", "out"].map { place.appendingPathExtension($0) }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    try Data(bytes).write(to: files[0])
    try Data().write(to: files[1])
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return try JSONDecoder().decode([String].self, from: try Data(contentsOf: files[1]))
  }
}
