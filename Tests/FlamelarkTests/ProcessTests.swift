import FlamelarkTrace
import Foundation
import Testing

/// How programs end, and what their traces hold then.
@Suite struct ProcessTests {
  @Test func theEnvironmentStartsARecording() throws {
    let folder = TemporaryFolder()
    let run = try Probe.run(
      "environment", "-", environment: ["FLAMELARK_RECORD": folder.file("a-%p.lark")])
    let path = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(path == folder.file("a-\(run.processID).lark"))
    let trace = try Trace(contentsOf: path)
    #expect(trace.outline(ofTrack: 0) == "work")
    #expect(trace.source.processID == Int64(run.processID))
    #expect(trace.source.ending == .stopped)
    #expect(try Probe.run("environment", "-").output == "not recorded\n")
  }

  @Test func anExitWithoutStopLosesNothing() throws {
    let folder = TemporaryFolder()
    let run = try Probe.run("exit", folder.file("t.lark"))
    #expect(run.status == 7)
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    #expect(trace.spans.count == 11)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["open"])
    #expect(trace.source.ending == .stopped)
    #expect(trace.issues.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("t.lark.live")))
  }

  @Test(arguments: [("kill", 5000), ("kill-handing-over", 50_000)])
  func aKilledProgramLosesNothing(scenario: String, spans: Int) throws {
    let folder = TemporaryFolder()
    let run = try Probe.run(scenario, folder.file("t.lark"))
    #expect(run.status == SIGKILL)
    #expect(FileManager.default.fileExists(atPath: folder.file("t.lark.live")))
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()
    #expect(trace.source.ending == .killed)
    #expect(trace.durations(of: "work").count == spans)
    #expect(trace.outline(ofTrack: 0).hasSuffix(" work outer(done inner)"))
    #expect(
      trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["outer", "inner"])
    #expect(trace.frameSeries.first?.frames.count == 2)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func shortThreadsOfAKilledProgramLoseNothing() throws {
    let folder = TemporaryFolder()
    #expect(try Probe.run("kill-threads", folder.file("t.lark")).status == SIGKILL)
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()
    #expect(trace.tracks.map(\.spans.count) == Array(repeating: 20, count: 13))
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func aRunningProgramCanBeRead() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let probe = try Probe.start("run", path)
    #expect(probe.readLine() == "ready")
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.source.ending == .running)
    #expect(trace.durations(of: "work").count == 100)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["waiting"])
    #expect(probe.finish().status == 0)
    let whole = try Trace(contentsOf: path)
    #expect(whole.source.ending == .stopped)
    #expect(whole.durations(of: "waiting").count == 1)
    #expect(whole.spans.unfinished.isEmpty)
  }

  @Test func threadsThatEndEarlyAreWhole() throws {
    let folder = TemporaryFolder()
    #expect(try Probe.run("threads", folder.file("t.lark")).status == 0)
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()
    let workers = trace.tracks.filter { $0.name == "worker" }
    #expect(workers.count == 40)
    #expect(workers.allSatisfy { $0.spans.count == 100 })
    #expect(trace.tracks.filter { $0.name == "main" }.map(\.spans.count) == [1])
  }

  @Test func aStopInsideASpanLeavesItUnfinishedAndASecondRecordingHasAnotherName() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run("stop-in-span", path)
    #expect(run.status == 0)
    #expect(run.output == "\(folder.file("t.2.lark"))\n")
    #expect(run.errors.contains("\(path) exists"))
    let first = try Trace(contentsOf: path)
    #expect(first.outline(ofTrack: 0) == "outer(inner)")
    #expect(first.spans.unfinished == [0, 1])
    let second = try Trace(contentsOf: folder.file("t.2.lark"))
    #expect(second.outline(ofTrack: 0) == "second")
  }

  @Test func aFolderThatIsNotThereIsToldInOneSentence() throws {
    let run = try Probe.run("exit", "/nowhere/t.lark")
    #expect(run.status != 7)
    #expect(run.errors.contains("can't create /nowhere/t.lark"))
  }
}
