import FlamelarkTrace
import Foundation
import Testing

extension RecordingTests {
  /// Each runs in a process of its own: threads of the run-time that wait for each other would keep
  /// the tests beside from going on.
  @Suite struct TaskTests {
    private func trace(
      _ scenario: String, environment: [String: String] = [:]
    ) throws -> (trace: Trace, output: String) {
      let folder = TemporaryFolder()
      let path = folder.file("tasks.lark")
      let result = try Probe.run(scenario, path, environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      return (trace, result.output)
    }

    @Test func spansAroundAwaitNestOnTheRowOfTheirTask() throws {
      let (trace, _) = try trace("tasks")
      #expect(trace.issues == [])
      let rows = trace.tracks.indices.filter { trace.tracks[$0].kind == .task }
      let outlines = Dictionary(grouping: rows.map { trace.outline(ofTrack: $0) }) { $0 }
        .mapValues(\.count)
      let elements = Array(repeating: "element", count: 10).joined(separator: " ")
      #expect(
        outlines == ["group actor " + elements: 1, "child(inner)": 30, "add": 2, "cancelled": 1])
      #expect(Set(trace.tasks.map(\.track)) == Set(rows))
      #expect(Set(trace.tasks.map(\.id)).count == rows.count)
      // What has no `await` stays with the thread, and is in no span there.
      for (name, count) in [("before", 30), ("after", 30), ("sum", 2), ("plain", 1)] {
        let spans = (0..<trace.spans.count).filter { trace.name(ofSpan: $0) == name }
        #expect(spans.count == count, "\(name)")
        #expect(spans.allSatisfy { trace.spans.parent[$0] == Trace.Spans.none })
      }
      #expect(trace.spans.unfinished == [])
      #expect(trace.tracks.allSatisfy { $0.counts.detached == 0 && $0.counts.lost == 0 })
    }

    @Test func ofTwentyThousandHopsEachIsSeen() throws {
      let (trace, output) = try trace("task-hops")
      #expect(trace.issues == [])
      let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      try #require(numbers.count == 2)
      #expect(numbers[1] >= 20_000)
      let hops = trace.taskSpans.filter { trace.name(ofSpan: $0.span) == "hop" }
      #expect(hops.count == numbers[0])
      #expect(hops.allSatisfy { $0.begin != nil && $0.end != nil })
      #expect(hops.filter { $0.begin != $0.end }.count == numbers[1])
      // A span on a stale stack would be open, cut, or of a wrong depth.
      for name in ["here", "there"] {
        let spans = (0..<trace.spans.count).filter { trace.name(ofSpan: $0) == name }
        #expect(spans.count == numbers[0])
        #expect(spans.allSatisfy { trace.spans.parent[$0] == Trace.Spans.none })
      }
      #expect(trace.spans.unfinished == [])
    }

    @Test func spansOnTheStackAreTiedToTheirTask() throws {
      let (trace, _) = try trace("task-counts")
      var counts: [UInt64: [String: Int]] = [:]
      for track in trace.threadRows {
        for span in trace.tracks[track].spans {
          let name = trace.name(ofSpan: span)
          let task = trace.task(ofSpan: span, on: track)
          #expect((task == nil) == (name == "no task"), "\(name)")
          counts[task ?? 0, default: [:]][name, default: 0] += 1
        }
      }
      let jobs = trace.tasks.map(\.id)
      #expect(jobs.count == 60)
      let works = jobs.map { counts[$0]?["work"] ?? 0 }
      #expect(works.sorted() == Array(1...60))
      #expect(jobs.allSatisfy { counts[$0]?["other"] == nil })
      #expect(jobs.allSatisfy { counts[$0]?["part"] == counts[$0]?["work"] })
      #expect(counts.values.filter { $0 == ["other": 5] }.count == 60)
      #expect(counts[0] == ["no task": 1])
    }

    @Test(arguments: [3, 300]) func whatHasNotEndedIsThereAndUnfinished(count: Int) throws {
      let (trace, _) = try trace("task-open", environment: ["COUNT": "\(count)"])
      expectOpen(count, in: trace)
    }

    @Test(arguments: [3, 300]) func aKilledProgramLeavesItsSpansAroundAwait(count: Int) throws {
      let folder = TemporaryFolder()
      let path = folder.file("killed.lark")
      let probe = try Probe.start("task-killed", path, environment: ["COUNT": "\(count)"])
      #expect(probe.readLine() == "ready")
      kill(probe.processID, SIGKILL)
      _ = probe.finish()
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      let spans = openSpans(of: trace)
      #expect(spans.count == trace.spans.unfinished.count)
      // They go on to the end, which spans on the stack tell.
      let last = (0..<trace.spans.count).filter { trace.name(ofSpan: $0) == "later" }
        .map { trace.spans.end[$0] }.max()
      #expect(last != nil && spans.allSatisfy { trace.spans.end[$0] >= last ?? .max })
      // A thread of the run-time has room for 128.
      #expect(spans.count == min(count, spans.count) && spans.count >= min(count, 128))
    }

    @Test func whatIsNotRememberedIsCountedInItsRecording() throws {
      let folder = TemporaryFolder()
      let path = folder.file("open.lark")
      let result = try Probe.run("task-open-twice", path, environment: ["COUNT": "400"])
      #expect(result.status == 0, "\(result.errors)")
      for round in ["", ".second"] {
        let trace = try Trace(contentsOf: path + round)
        try trace.checkInvariants()
        let rest = trace.issues.filter { $0.text.contains("await") }.reduce(0) { $0 + $1.count }
        #expect(rest > 0)
        #expect(openSpans(of: trace).count + rest == 400)
      }
    }

    private func openSpans(of trace: Trace) -> [Int] {
      (0..<trace.spans.count).filter { trace.name(ofSpan: $0) == "waits for ever" }
    }

    private func expectOpen(_ count: Int, in trace: Trace) {
      let spans = openSpans(of: trace)
      #expect(spans == trace.spans.unfinished.filter { spans.contains($0) })
      #expect(spans.count == trace.spans.unfinished.count)
      let rest = trace.issues.filter { $0.text.contains("await") }.reduce(0) { $0 + $1.count }
      #expect(spans.count + rest == count)
      #expect(spans.count >= min(count, 128))
      #expect(spans.allSatisfy { trace.spans.end[$0] >= trace.spans.start[$0] + 10_000_000 })
      let ended = (0..<trace.spans.count).filter { trace.name(ofSpan: $0) == "ended" }
      #expect(ended.count == 1)
    }

    @Test func aSpanBelongsToTheRecordingInWhichItBegan() throws {
      let folder = TemporaryFolder()
      let path = folder.file("first.lark")
      let result = try Probe.run("task-restart", path)
      #expect(result.status == 0, "\(result.errors)")
      let first = try Trace(contentsOf: path)
      let second = try Trace(contentsOf: path + ".second")
      func names(_ trace: Trace) -> [String] {
        (0..<trace.spans.count).map { trace.name(ofSpan: $0) }.sorted()
      }
      #expect(names(first) == ["across"])
      #expect(first.spans.unfinished.count == 1)
      #expect(names(second) == ["in the second", "second"])
      #expect(second.spans.unfinished == [])
      #expect(first.issues == [] && second.issues == [])
    }

    @Test func closuresRunWhereTheirCallersDo() throws {
      let (trace, _) = try trace("task-isolation")
      #expect(trace.durations(of: "visit").count == 1)
      #expect(trace.durations(of: "on the main actor").count == 1)
      let main = try #require(trace.tracks.firstIndex { $0.name == "main" })
      let span = try #require(
        trace.taskSpans.first { trace.name(ofSpan: $0.span) == "on the main actor" })
      #expect(span.begin == main && span.end == main)
    }

    @Test func noFilterLeavesThemOut() throws {
      let (trace, _) = try trace("task-least")
      #expect(trace.durations(of: "short").count == 10)
      #expect(trace.durations(of: "left out").isEmpty)
      let counts = trace.tracks.map(\.counts)
      #expect(counts.reduce(0) { $0 + $1.belowMinimum } == 10)
      #expect(counts.reduce(0) { $0 + $1.overDepth } == 10)
    }
  }
}
