import Foundation

/// A built program of this package, run in a folder.
struct Program {
  let status: Int32
  let output: String
  let errors: String

  /// Programs stand beside the one that runs the tests.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  init(_ name: String, _ arguments: String..., in place: URL) throws {
    let process = Process()
    process.executableURL = Self.folder.appending(path: name)
    process.arguments = arguments
    process.currentDirectoryURL = place
    // Files and not pipes: a full pipe would stop a program that nobody reads yet.
    let texts = ["out", "err"].map { place.appending(path: "\(UUID().uuidString).\($0)") }
    for text in texts { try Data().write(to: text) }
    process.standardOutput = try FileHandle(forWritingTo: texts[0])
    process.standardError = try FileHandle(forWritingTo: texts[1])
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try Data(contentsOf: texts[0]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: texts[1]), as: UTF8.self)
  }
}

/// Runs a body in a folder that goes away.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let place = FileManager.default.temporaryDirectory
    .appending(path: "flamelark-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: place) }
  return try body(place)
}
