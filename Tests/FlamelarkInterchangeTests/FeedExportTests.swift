import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// A real run there and back: the Feed example, recorded, exported and read by two importers.
@Suite struct FeedExportTests {
  @Test(arguments: [1, 2]) func theTreeOfAFeedRunComesBack(seed: Int) throws {
    let trace = try feedRun(seed: seed)
    try #require(trace.tracks.count == 1 && trace.spans.count > 100)
    let (bytes, summary) = exported(trace)
    let frames = try #require(trace.frameSeries.first).frames
    let scopes = frames.compactMap { frame in frame.end.map { frame.begin..<$0 } }
    #expect(summary.frameScopes == scopes.count)
    let expected = trace.treeSpans(ofTrack: 0).afterRuleFour(frames: scopes).rebased()
    #expect(expected.count > 100)

    let model = try SpeedscopeModel(bytes)
    #expect(model.profiles.map(\.warnings) == [0])
    #expect(model.profiles[0].spans.removing("Frame").rebased() == expected)
    #expect(model.profiles[0].spans.filter { $0.name == "Frame" }.count == scopes.count)

    let again = try read(bytes)
    #expect(again.issues.isEmpty, "\(again.issues)")
    #expect(again.treeSpans(ofTrack: 0).removing("Frame").rebased() == expected)
  }

  private func feedRun(seed: Int) throws -> Trace {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("flamelark-feed-\(UUID().uuidString).lark")
    defer { try? FileManager.default.removeItem(at: place) }
    // Programs stand beside the one that runs the tests.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("Feed")
    process.arguments = ["--seconds", "2", "--seed", "\(seed)", "-o", place.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let trace = try Trace(contentsOf: place.path)
    try trace.checkInvariants()
    return trace
  }
}
