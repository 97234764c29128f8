import FlamelarkTrace
import Foundation
import Testing

/// Processes that become several, or another program.
@Suite struct ForkTests {
  @Test func aForkedChildNeverWritesItsParentsFile() throws {
    let folder = TemporaryFolder()
    let run = try Probe.run("fork", folder.file("t.lark"))
    #expect(run.status == 0)
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    #expect(trace.outline(ofTrack: 0) == "parent")
    #expect(trace.issues.isEmpty)
    let child = try Trace(contentsOf: folder.file("t.lark.child"))
    #expect(child.durations(of: "child's own").count == 1)
    #expect(child.source.processID != trace.source.processID)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files == ["t.lark", "t.lark.child"])
  }

  @Test(arguments: [0, 1])
  func childrenOfABusyProcessAreOnTheirOwn(_ handsOver: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run(
      "fork-busy", path, environment: ["CHILDREN": "40", "HAND_OVER": "\(handsOver)"])
    #expect(run.status == 0, "\(run.output)")
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.issues.isEmpty, "\(trace.issues)")
    #expect(trace.source.ending == .stopped)
    let counts = trace.tracks.filter { $0.name == "busy" }.map(\.spans.count).sorted()
    #expect(counts.count == 3)
    #expect(run.output == "counts \(counts)\n")
    #expect(trace.durations(of: "parent").count == 40)
    #expect(trace.durations(of: "child").isEmpty)
    for index in stride(from: 0, to: 40, by: 2) {
      let child = try Trace(contentsOf: "\(path).\(index)")
      try child.checkInvariants()
      #expect(child.durations(of: "child's own").count == 5000)
      // The span around the fork is open in both.
      #expect(child.spans.unfinished.map { child.name(ofSpan: $0) } == ["parent"])
      #expect(child.spans.count == 5001)
      #expect(
        child.issues == [
          Trace.Issue("spans that began before the recording, cut at its start", count: 1)
        ])
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == 21)
  }

  @Test func aProgramThatBecomesAnotherLeavesAllOfItsTrace() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    #expect(try Probe.run("exec", path).status == 0)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    // Nobody holds its files any more.
    #expect(trace.source.ending == .killed)
    #expect(trace.durations(of: "work").count == 5000)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["outer"])
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func anExitInAnyThreadLosesNothing() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    #expect(try Probe.run("exit-thread", path).status == 3)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.source.ending == .stopped)
    #expect(trace.durations(of: "work").count == 400)
    let unfinished = trace.spans.unfinished.map { trace.name(ofSpan: $0) }.sorted()
    #expect(unfinished == ["last", "main", "open", "open", "open"])
    #expect(trace.tracks.count == 5)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
    #expect(!FileManager.default.fileExists(atPath: path + ".live"))
  }
}
