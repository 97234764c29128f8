import Foundation

/// What `flamelark blame --format json` says, as far as it is asked for here.
struct BlameOutput: Decodable {
  struct Series: Decodable {
    var name: String
    var hitchTime: Int64
    var activeTime: Int64
    var hitches: [Hitch]
    var causes: [Cause]
    var ratioIfFirstThreeNormal: Double?

    private enum CodingKeys: String, CodingKey {
      case name
      case hitchTime = "hitch_ns"
      case activeTime = "active_ns"
      case hitches, causes
      case ratioIfFirstThreeNormal = "if_first_three_normal_ms_per_s"
    }
  }

  struct Hitch: Decodable {
    var frame: Int
    var lateness: Int64
    var causes: [Cause]

    private enum CodingKeys: String, CodingKey {
      case frame
      case lateness = "lateness_ns"
      case causes
    }
  }

  struct Cause: Decodable {
    var path: [String]
    var kind: String
    var thread: String?
    var blame: Int64
    var low: Int64?
    var high: Int64?
    var ratioIfNormal: Double?

    private enum CodingKeys: String, CodingKey {
      case path, kind, thread
      case blame = "blame_ns"
      case low = "blame_low_ns"
      case high = "blame_high_ns"
      case ratioIfNormal = "if_normal_ms_per_s"
    }
  }

  var series: [Series]

  /// What the program at a path says of a file.
  init(of file: URL, by program: String) throws {
    let output = file.deletingPathExtension().appendingPathExtension("json")
    guard FileManager.default.createFile(atPath: output.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["-k", "5", "300", program, "blame", "--format", "json", file.path]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: output))
  }

  /// The program ended otherwise than in order.
  struct Failure: Error, CustomStringConvertible {
    var status: Int32
    var description: String { "flamelark blame ended with status \(status)" }
  }
}

extension BlameOutput.Cause {
  /// What it stands for.
  func key(by names: Names) -> CauseKey {
    let thread = thread.flatMap { names.thread(named: $0) }
    switch kind {
    case "preempted":
      let isDatabase = thread == .database || path.first == names[.transaction]
      return .injection(isDatabase ? .inversion : .preempted)
    case "uninstrumented" where thread == nil || thread == .main:
      return .injection(.uninstrumented)
    case "span", "folded":
      if let role = path.last.flatMap({ names.role(named: $0) }) { return CauseKey(role) }
    default: break
    }
    let roles = path.map { name in names.role(named: name).map { "\($0)" } ?? name }
    let place = ([thread.map { "\($0):" }].compactMap(\.self) + roles).joined(separator: " ")
    return .other(place.isEmpty ? "(\(kind))" : "(\(kind)) \(place)")
  }
}
