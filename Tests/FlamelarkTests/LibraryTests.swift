import FlamelarkTrace
import Foundation
import Testing

/// A library that records, in a program that loads and unloads it.
@Suite struct LibraryTests {
  @Test func aLibraryThatIsUnloadedLosesNothing() throws {
    let folder = TemporaryFolder()
    let sources = Self.repository + "/Tests/RecorderPlugin"
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    try build(
      "swiftc",
      [
        "-emit-library", "-module-name", "Plugin", "-o", folder.file("plugin.so"),
        sources + "/Plugin.swift", "-I", products + "/Modules",
      ]
        + [
          // Of one's own, and as the build made it.
          Self.repository + "/Sources/CFlamelark/include", products + "/CFlamelarkFormat.build",
        ].flatMap { ["-Xcc", "-fmodule-map-file=\($0)/module.modulemap"] }
        + objects(
          of: ["Flamelark", "FlamelarkFormat", "CFlamelark", "CFlamelarkFormat"], in: products))
    try build("clang", [sources + "/host.c", "-o", folder.file("host"), "-ldl", "-lpthread"])

    let host = Process()
    host.executableURL = URL(fileURLWithPath: folder.file("host"))
    host.arguments = [folder.file("plugin.so"), folder.file("t.lark")]
    try host.run()
    host.waitUntilExit()
    #expect(host.terminationReason == .exit)
    #expect(host.terminationStatus == 5)
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()
    #expect(trace.source.ending == .stopped)
    #expect(trace.tracks.map(\.spans.count).sorted() == [100, 5050])
    #expect(trace.issues.isEmpty, "\(trace.issues)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("t.lark.live")))
  }

  /// What the build made of the sources of these targets.
  private func objects(of targets: [String], in products: String) throws -> [String] {
    let sources = Self.repository + "/Sources"
    return try targets.flatMap { target in
      try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(target)")
        .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
        .map { "\(products)/\(target).build/\($0).o" }
    }
  }

  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Runs a compiler, which comes with the one that built the tests.
  private func build(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
