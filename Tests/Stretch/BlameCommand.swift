import FlamelarkInterchange
import FlamelarkTrace
import Foundation

/// `flamelark blame`, as anybody would run it.
struct BlameCommand {
  /// The path of `flamelark`.
  let program: String

  /// Writes a trace as Trace Event JSON, has it blamed, and gives what the report says of its only
  /// series.
  func blame(_ trace: Trace, frames: String, rate: Double) throws -> BlamedSeries {
    let path = NSTemporaryDirectory() + "flamelark-stretch-\(UUID().uuidString).json"
    try Data(trace.encoded(as: .traceEvent)).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "120", program, "blame", "--format", "json", "--frames", frames, "--refresh",
      "\(rate)", path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let series = try JSONDecoder().decode(BlamedFile.self, from: output).series.first
    else { throw Failure(description: "flamelark blame ended with \(process.terminationStatus)") }
    return series
  }

  /// Why there is no answer.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}

private struct BlamedFile: Decodable {
  let series: [BlamedSeries]
}

/// What the JSON of `flamelark blame` says of a series, as far as it is asked.
struct BlamedSeries: Decodable {
  let hitch_count: Int
  let hitches: [BlamedHitch]
  let causes: [BlamedCause]
  /// Whether the report says that it can't name a cause.
  let declines: Bool
}

/// What it says of a hitch.
struct BlamedHitch: Decodable {
  let frame: Int
  let lateness_ns: Int64
  let causes: [BlamedCause]
}

/// What it says of a cause.
struct BlamedCause: Decodable, CustomStringConvertible {
  let path: [String]
  let kind: String
  /// nil: the loop's own.
  let thread: String?
  let share: Double
  let normal_ns: Int64
  let late_ns: Int64

  var description: String {
    let name = path.isEmpty ? kind : path.joined(separator: " > ")
    let times = "\(normal_ns / 1000) -> \(late_ns / 1000) us"
    return "\(thread.map { $0 + ": " } ?? "")\(name) (\(kind)), \(Int(share * 100)) %, \(times)"
  }
}
