import FlamelarkTrace
import Foundation
import Testing

/// A file of each version that was ever written reads as it did. See `Tests/Fixtures/README.md`.
@Suite struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures")

  @Test(arguments: ["v1.0.lark", "v1.1-packed.lark"])
  func aFileOfAnEarlierVersionReadsAsItDid(_ name: String) throws {
    let trace = try Trace(contentsOf: Self.folder.appending(path: name).path)
    try trace.checkInvariants()
    #expect(trace.issues.isEmpty)
    #expect(trace.source.ending == .stopped)
    #expect(trace.source.processID == 3127)
    #expect(trace.source.maximumDepth == 255)
    #expect(
      trace.source.properties == [
        "cores": "2", "executable": "/tmp/RecorderProbe", "recorder": "flamelark",
      ])
    #expect(trace.wallClockZero == 1_796_039_131_973_777_251)
    #expect(trace.range == 0..<460_542_928)
    #expect(trace.tracks.map(\.name) == ["main"])
    #expect(trace.spans.count == 61)
    #expect(trace.spans.unfinished.isEmpty)
    let names = (0..<61).map { trace.name(ofSpan: $0) }
    #expect(names.firstIndex(of: "save") == 8)
    #expect(names.filter { $0 == "update" }.count == 60)
    let time = (0..<61).reduce(Int64(0)) { $0 + trace.spans.end[$1] - trace.spans.start[$1] }
    #expect(time == 460_025_717)
    #expect(
      trace.callSites.compactMap(\.file).map { trace.names[$0] }.allSatisfy {
        $0 == "RecorderProbe/Main.swift"
      })
    let series = try #require(trace.frameSeries.first)
    #expect(series.name == "loop")
    #expect(series.refresh == 16_666_667)
    #expect(series.frames.count == 61)
    #expect(series.markedByRecorder.map(\.frame) == [7])
    #expect(series.markedByProgram.map { trace.names[$0.reason] } == ["saved"])
    #expect(series.markedByProgram.map(\.frame) == [7])
  }
}
