import FlamelarkTrace
import Foundation
import Testing

/// Threads that end in the middle of something, that are many, or that come in each other's way.
@Suite struct ThreadTests {
  @Test func threadsThatEndInsideOfSpansAreWhole() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    #expect(try Probe.run("thread-exit", path).status == 0)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    let threads = trace.tracks.filter { $0.name == "exits" }
    #expect(threads.map { $0.spans.count - 2 }.sorted() == (0..<20).map { $0 * 300 })
    #expect(trace.spans.unfinished.count == 40)
    #expect(trace.durations(of: "main").count == 1)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func threadsThatAreCancelledHoldUpNobody() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    #expect(try Probe.run("thread-cancel", path).status == 0)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.tracks.filter { $0.name == "cancelled" }.count == 100)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) }.allSatisfy { $0 == "outer" })
    #expect(trace.spans.unfinished.count == 100)
    // They end where they let themselves be ended, after each thousand.
    #expect(trace.durations(of: "work").count % 1000 == 0)
    #expect(trace.durations(of: "main").count == 1)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func aThreadThatVanishesLeavesItsSpans() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    #expect(try Probe.run("thread-vanish", path).status == 0)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.durations(of: "work").count == 5000)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["outer"])
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func thousandsOfShortThreadsNeedFewSlots() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run("short-threads", path)
    #expect(run.status == 0)
    // Eight threads at once, eight that wait to be written, and some that wait for the lock.
    let byteCount = run.output.split(separator: "\n").first.flatMap { Int($0.dropFirst(5)) }
    #expect(try #require(byteCount) <= 4096 + 32 * 90_112, "\(run.output)")
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    let threads = trace.tracks.filter { $0.name == "short" }
    #expect(threads.count == 4000)
    #expect(threads.allSatisfy { $0.spans.count == 20 })
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test func aSecondStartHarmsNoFirst() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run("second-start", path)
    #expect(run.status == 0)
    #expect(
      run.output == "error this process already records; stop that recording before starting "
        + "\(path).second\n")
    let trace = try Trace(contentsOf: path)
    #expect(trace.outline(ofTrack: 0) == "first(after)")
    #expect(trace.issues.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.lark"])
  }

  @Test(arguments: [(200, 0, 0), (200, 0, 1_000_000), (100, 1, 0)])
  func recordingsStartAndStopWhileOthersRecord(
    _ recordings: Int, _ handsOver: Int, _ minimum: Int
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run(
      "hammer", path,
      environment: [
        "RECORDINGS": "\(recordings)", "HAND_OVER": "\(handsOver)", "MINIMUM": "\(minimum)",
      ])
    #expect(run.status == 0)
    var spanCount = 0
    for index in 0..<recordings {
      let trace = try Trace(contentsOf: "\(path).\(index)")
      #expect(throws: Never.self, "recording \(index)") { try trace.checkInvariants() }
      // Spans that were open when it started belong to it from then on.
      let issues = trace.issues.map(\.text).filter {
        $0 != "spans that began before the recording, cut at its start"
      }
      #expect(issues.isEmpty, "recording \(index): \(issues)")
      #expect(trace.source.ending == .stopped)
      #expect(trace.tracks.allSatisfy { $0.name.hasPrefix("worker") || $0.spans.isEmpty })
      spanCount += trace.spans.count + trace.folded.reduce(0) { $0 + $1.count }
    }
    #expect(spanCount > 10_000)
  }
}
