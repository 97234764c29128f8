import Foundation

/// Runs `RecorderProbe`, which is built beside the tests.
struct Probe {
  struct Result {
    var status: CInt
    var processID: CInt
    var output: String
    var errors: String
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  static func start(
    _ scenario: String, _ path: String, environment: [String: String] = [:]
  ) throws -> Probe {
    let probe = Probe()
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    probe.process.executableURL = folder.appendingPathComponent("RecorderProbe")
    probe.process.arguments = [scenario, path]
    probe.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    probe.process.standardInput = probe.input
    probe.process.standardOutput = probe.output
    probe.process.standardError = probe.errors
    try probe.process.run()
    return probe
  }

  static func run(
    _ scenario: String, _ path: String, environment: [String: String] = [:]
  ) throws -> Result {
    try start(scenario, path, environment: environment).finish()
  }

  /// A line that the program prints.
  func readLine() -> String {
    var line = ""
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), byte.count == 1 {
      let character = String(decoding: byte, as: UTF8.self)
      if character == "\n" { break }
      line += character
    }
    return line
  }

  var processID: pid_t { process.processIdentifier }

  /// Ends the program's input and waits for it.
  func finish() -> Result {
    try? input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let errorText = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, processID: process.processIdentifier,
      output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }
}
