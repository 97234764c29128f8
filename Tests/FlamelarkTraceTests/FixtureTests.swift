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

  @Test func tasksAndLinksOfAnEarlierVersionReadAsTheyDid() throws {
    let trace = try Trace(contentsOf: Self.folder.appending(path: "v1.2.lark").path)
    try trace.checkInvariants()
    #expect(trace.issues.isEmpty)
    #expect(trace.source.ending == .stopped)
    #expect(trace.source.processID == 17012)
    #expect(trace.source.properties["build"] == "release")
    #expect(trace.range == 0..<92_000_000)
    #expect(trace.spans.count == 164)
    #expect(
      Dictionary(grouping: trace.tracks, by: \.kind).mapValues(\.count) == [
        .thread: 5, .task: 9, .track: 1,
      ])
    #expect(trace.tasks.count == 9 && trace.taskChanges.count == 51)
    #expect(trace.taskSpans.count == 49)
    #expect(trace.taskSpans.filter { $0.begin != nil && $0.begin != $0.end }.count == 14)
    #expect(
      Dictionary(grouping: trace.waits, by: \.kind).mapValues(\.count) == [
        .semaphore: 28, .await: 10, .queue: 3, .lock: 8,
      ])
    #expect(trace.waits.allSatisfy { $0.endedByTrack != nil })
    #expect(trace.flows.count == 36)
    #expect(trace.flows.allSatisfy { $0.begin != nil && $0.ends.count == 1 })
    #expect(trace.values.count == 49 && trace.stages.count == 30 && trace.modules.count == 7)
    let series = try #require(trace.frameSeries.first)
    #expect(series.mode == .presented)
    #expect(series.frames.filter { $0.presented != nil }.count == 10)
    #expect(series.rests.map(\.kind) == [.paused])
  }

  @Test func statesOfThreadsReadAsTheyDid() throws {
    let trace = try Trace(contentsOf: Self.folder.appending(path: "v1.3.lark").path)
    try trace.checkInvariants()
    #expect(trace.issues.isEmpty)
    #expect(trace.spans.count == 100)
    #expect(trace.threadStates.count == 150)
    let blocked = trace.threadStates.filter { $0.kind == .blocked }
    #expect(blocked.count == 100)
    #expect(blocked.allSatisfy { $0.wokenBy == 1 - $0.track })
    #expect(blocked.allSatisfy { $0.wokenAt.map($0.range.contains) == true })
    let time = trace.threadStates.reduce(0) { $0 + $1.range.count }
    #expect(time == 50 * (400_000 + 50_000 + 210_000))
  }
}
