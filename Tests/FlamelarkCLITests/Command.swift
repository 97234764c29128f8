import Foundation

/// The built `flamelark` command, run as a program.
struct Command {
  let status: Int32
  let output: String
  let errors: String

  /// A program of the package. It stands beside the one that runs the tests.
  static func tool(_ name: String) -> URL {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    return URL(fileURLWithPath: String(decoding: bytes, as: UTF8.self))
      .deletingLastPathComponent().appending(path: name)
  }

  @discardableResult init(_ arguments: String..., in folder: URL? = nil) throws {
    try self.init(arguments: arguments, in: folder)
  }

  init(arguments: [String], in folder: URL? = nil) throws {
    (status, output, errors) = try Self.run(
      Self.tool("flamelark"), arguments, in: folder, input: nil)
  }

  /// Runs any program with a text as its input.
  static func run(
    _ executable: URL, _ arguments: [String], in folder: URL?, input: String?
  ) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files and not pipes: a full pipe would stop a program that nobody reads yet.
    let place = try TemporaryFolder()
    let names = ["in", "out", "err"].map { place.url.appending(path: $0) }
    for (name, text) in zip(names, [input ?? "", "", ""]) { try Data(text.utf8).write(to: name) }
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    process.waitUntilExit()
    let texts = try names.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return (process.terminationStatus, texts[1], texts[2])
  }
}

/// A folder that goes away with the value.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "flamelark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let place = url.appending(path: name)
    try Data(bytes).write(to: place)
    return place.path
  }

  /// Writes a text file and returns its path.
  func file(_ name: String, text: String) throws -> String { try file(name, text.utf8) }
}
