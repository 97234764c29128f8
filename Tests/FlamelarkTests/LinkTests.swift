import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  @Suite struct LinkTests {
    // MARK: Links

    @Test func aLinkLeadsFromWhereWorkIsAskedForToWhereItRuns() throws {
      let worker = SerialThread("worker")
      let line = #line
      let trace = try record {
        onThreads(1) { _ in
          for _ in 0..<100 {
            withSpan("ask") {
              let link = Flow("job").begin()
              worker.add { withSpan("run") { link.end() } }
            }
          }
          worker.wait {}
        }
      }
      worker.end()
      #expect(trace.flows.count == 100 && Set(trace.flows.map(\.number)).count == 100)
      let here = try trace.row(ofThread: 0)
      let there = try #require(trace.tracks.firstIndex { $0.name == "worker" })
      let (asks, runs) = (Array(trace.tracks[here].spans), Array(trace.tracks[there].spans))
      try #require(asks.count == 100 && runs.count == 100)
      // One after the other: the first that was asked for ran first.
      for (index, flow) in trace.flows.enumerated() {
        let begin = try #require(flow.begin)
        try #require(flow.ends.count == 1)
        #expect(begin.track == here && flow.ends[0].track == there)
        #expect(begin.task == nil && flow.ends[0].task == nil)
        #expect(isOpen(asks[index], at: begin.time, in: trace))
        #expect(isOpen(runs[index], at: flow.ends[0].time, in: trace))
        #expect(begin.time <= flow.ends[0].time)
        let sites = [begin.site, flow.ends[0].site].map { trace.callSites[Int($0.index)] }
        #expect(sites.map { trace.names[$0.name] } == ["job", "job"])
        #expect(sites.map { Int($0.line) - line } == [5, 6])
      }
      #expect(trace.issues == [])
    }

    private func isOpen(_ span: Int, at time: Int64, in trace: Trace) -> Bool {
      (trace.spans.start[span]...trace.spans.end[span]).contains(time)
    }

    @Test func aLinkMayEndManyTimesOrNever() throws {
      let flow = Flow("shared")
      let trace = try record {
        _ = flow.begin()
        let link = flow.begin()
        onThreads(3) { _ in link.end() }
      }
      #expect(trace.flows.map(\.ends.count) == [0, 3])
      let names = trace.flows[1].ends.map { trace.tracks[$0.track].name }
      #expect(names.sorted() == ["t0", "t1", "t2"])
    }

    @Test func aLinkOfAnotherTimeIsNone() throws {
      let flow = Flow("late")
      let before = flow.begin()
      let first = try record { before.end() }
      #expect(first.flows.isEmpty)
      nonisolated(unsafe) var during: Flow.Link?
      let second = try record { unsafe during = flow.begin() }
      #expect(second.flows.count == 1)
      let third = try record { unsafe during?.end() }
      // It was recorded once, so its end is told, with a beginning that another recording has.
      #expect(third.flows.map(\.number) == second.flows.map(\.number))
      #expect(third.flows.map { $0.begin == nil && $0.ends.count == 1 } == [true])
      let after = try record {}
      unsafe during?.end()
      #expect(after.flows.isEmpty)
    }

    // MARK: Queues

    @Test func aQueueTellsWhereWorkWasAskedForAndWhoDidIt() throws {
      let worker = SerialThread("worker")
      let own = TracedQueue("own") { worker.add($0) }
      let dispatch = DispatchQueue(label: "serial")
      let system = TracedQueue("system") { dispatch.async(execute: $0) }
      let names = Names()
      let trace = try record {
        onThreads(3) { thread in
          for round in 0..<50 {
            let queue = thread == 1 ? system : own
            if round % 2 == 0 {
              queue.async { names.add(thread) }
            } else {
              let number = queue.sync("measure") {
                names.add(thread)
                return thread
              }
              #expect(number == thread)
            }
          }
        }
        own.sync {}
        system.sync {}
      }
      worker.end()
      #expect(trace.flows.count == 152)
      for thread in 0..<3 {
        let row = try trace.row(ofThread: thread)
        let waits = trace.waits(ofTrack: row)
        #expect(waits.count == 25)
        for wait in waits {
          #expect(wait.kind == .queue)
          #expect(trace.name(ofSpan: wait.span) == (thread == 1 ? "system" : "own"))
          let ender = try #require(wait.endedByTrack)
          if thread != 1 { #expect(trace.tracks[ender].name == "worker") }
          // Of the links that begin in the wait there is one, and the thread where it ends ended the wait.
          let links = trace.flows.filter { flow in
            flow.begin.map { $0.track == row && isOpen(wait.span, at: $0.time, in: trace) } ?? false
          }
          try #require(links.count == 1 && links[0].ends.count == 1)
          #expect(links[0].ends[0].track == ender)
          // In the span of the work, which was over by then.
          let work = try #require(
            trace.tracks[ender].spans.first { isOpen($0, at: links[0].ends[0].time, in: trace) })
          #expect(trace.name(ofSpan: work) == "measure")
          #expect(trace.spans.end[work] <= (try #require(wait.endedAt)))
        }
      }
      #expect(names.counts == [0: 50, 1: 50, 2: 50])
      #expect(trace.spans(named: "measure").count == 75)
      #expect(trace.issues == [])
    }

    private final class Names: Sendable {
      private let numbers = TracedMutex([Int: Int](), "names")

      var counts: [Int: Int] { numbers.withLock { $0 } }
      func add(_ thread: Int) { numbers.withLock { $0[thread, default: 0] += 1 } }
    }

    @Test func aQueueThrowsWhatItsWorkThrowsAlsoWithoutARecording() throws {
      struct Failure: Error {}
      let worker = SerialThread("worker")
      defer { worker.end() }
      let queue = TracedQueue("queue") { worker.add($0) }
      for isRecorded in [false, true] {
        var sum = 0
        func use() {
          #expect(throws: Failure.self) {
            try queue.sync { () throws(Failure) -> Int in throw Failure() }
          }
          // A closure that escapes nowhere may change what is its caller's.
          for number in 1...1000 { queue.sync { sum += number } }
        }
        if isRecorded {
          let trace = try record { use() }
          #expect(trace.waits.count == 1001)
        } else {
          OneRecording.alone { use() }
        }
        #expect(sum == 500_500)
      }
    }

    @Test func aQueueThatRunsAtOnceEndsItsOwnWait() throws {
      let queue = TracedQueue("at once") { $0() }
      let trace = try record { onThreads(1) { _ in queue.sync("work") {} } }
      #expect(trace.outline(ofTrack: try trace.row(ofThread: 0)) == "at once(work)")
      #expect(trace.waits.map(trace.ender(of:)) == ["t0"])
    }

    // MARK: Waits of the program's own

    @Test func aWaitNamesTheLastSignalOfItsPoint() throws {
      let point = WaitPoint()
      let isThere = DispatchSemaphore(value: 0)
      let trace = try record {
        onThreads(2) { thread in
          if thread == 0 {
            withWait("vsync", on: point) { isThere.wait() }
            // It did not block: it was signalled before.
            withWait("again", on: point) {}
            withWait("unknown") { usleep(10) }
          } else {
            usleep(20_000)
            point.signal()
            isThere.signal()
          }
        }
      }
      #expect(trace.outline(ofTrack: try trace.row(ofThread: 0)) == "vsync again unknown")
      let waits = trace.waits
      try #require(waits.count == 3)
      #expect(waits.allSatisfy { $0.kind == .other })
      #expect(waits.map(trace.ender(of:)) == ["t1", "t1", ""])
      #expect(isOpen(waits[0].span, at: try #require(waits[0].endedAt), in: trace))
      #expect(try #require(waits[1].endedAt) < trace.spans.start[waits[1].span])
      #expect(waits[2].endedAt == nil && waits[2].resource == 0)
      #expect(waits[0].resource == waits[1].resource && waits[0].resource != 0)
      #expect(trace.issues == [])
    }

    @Test func aSignalOfAnEarlierRecordingEndsNoWait() throws {
      let point = WaitPoint()
      _ = try record { point.signal() }
      point.signal()
      let trace = try record { withWait("wait", on: point) {} }
      #expect(trace.waits.map { $0.endedByTrack } == [nil])
    }

    @Test func awaitNamesTheTaskThatEndedItAlsoWhenItDidNotBlock() throws {
      let folder = TemporaryFolder()
      let path = folder.file("t.lark")
      let run = try Probe.run("task-waits", path)
      #expect(run.status == 0, "\(run.errors)")
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      #expect(trace.issues == [])
      let ids = Dictionary(uniqueKeysWithValues: trace.tasks.map { ($0.track, $0.id) })
      func tasks(of name: String) -> [UInt64] {
        trace.tracks.indices.filter { trace.outline(ofTrack: $0) == name }.compactMap { ids[$0] }
      }
      for (name, didBlock) in [("blocks", true), ("is over", false)] {
        let waits = trace.waits.filter { trace.name(ofSpan: $0.span) == name }
        #expect(waits.count == 20)
        #expect(waits.allSatisfy { $0.kind == .await })
        #expect(Set(waits.map(\.endedByTask)) == Set(tasks(of: "child that \(name)")))
        for wait in waits {
          let endedAt = try #require(wait.endedAt)
          #expect((endedAt >= trace.spans.start[wait.span]) == didBlock)
          #expect(endedAt <= trace.spans.end[wait.span])
          #expect(wait.endedByTrack != nil)
        }
      }
      // Links lead from one task to the other.
      #expect(trace.flows.count == 40)
      for flow in trace.flows {
        let begin = try #require(flow.begin)
        try #require(flow.ends.count == 1)
        #expect(begin.task != nil && flow.ends[0].task != nil && begin.task != flow.ends[0].task)
      }
    }

    @Test func aWaitThatEndsOnAThreadNewToTheRecordingNamesItsEndToo() throws {
      let folder = TemporaryFolder()
      let run = try Probe.run("task-elsewhere", folder.file("t.lark"))
      #expect(run.status == 0, "\(run.errors)")
      let trace = try Trace(contentsOf: folder.file("t.lark"))
      try trace.checkInvariants()
      try #require(trace.waits.count == 1 && trace.tasks.count == 1)
      #expect(trace.waits[0].endedByTask == trace.tasks[0].id)
      let end = try #require(trace.taskSpans.first?.end)
      #expect(trace.waits[0].endedByTrack != nil && trace.waits[0].endedByTrack != end)
      #expect(trace.issues == [])
    }

    // MARK: In every file

    @Test func linksAndWaitsSurvivePackingAndAKill() throws {
      let folder = TemporaryFolder()
      let path = folder.file("t.lark")
      let probe = try Probe.start("links-killed", path)
      #expect(probe.readLine() == "ready")
      kill(probe.processID, SIGKILL)
      _ = probe.finish()
      let killed = try Trace(contentsOf: path)
      try killed.checkInvariants()
      #expect(killed.flows.count == 10 && killed.waits.count == 12)
      #expect(killed.waits.allSatisfy { $0.endedByTrack != nil })
      for packed in [true, false] {
        let copy = folder.file("copy-\(packed).lark")
        var bytes = Data()
        let source = try RecordingCopy(of: path)
        _ = unsafe source.write(packed: packed) { unsafe bytes.append(contentsOf: $0) }
        try bytes.write(to: URL(fileURLWithPath: copy))
        let again = try Trace(contentsOf: copy)
        try again.checkInvariants()
        #expect(again.flows == killed.flows)
        #expect(again.waits == killed.waits)
        #expect(again.spans.start == killed.spans.start)
      }
    }
  }
}
