import FlamelarkTrace
import Foundation
import Testing

/// What the studio says of itself, a line a fact: a word and numbers.
private struct StudioLog {
  private let lines: [[String]]

  init(_ url: URL) throws {
    lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
  }

  /// The facts of a word, without it.
  func facts(_ word: String) -> [[String]] {
    lines.filter { $0.first == word }.map { Array($0.dropFirst()) }
  }
}

/// Three pools of tasks, two locks, a queue and a compositor: the trace against the program's own log.
@Suite struct StudioTests {
  private func run(frames: Int) throws -> (trace: Trace, log: StudioLog) {
    var result: (Trace, StudioLog)?
    try withTemporaryFolder { place in
      let run = try Program("Studio", "\(frames)", "studio.log", in: place)
      #expect(run.status == 0, "\(run.errors)")
      let trace = try Trace(contentsOf: place.appending(path: "studio.lark").path)
      try trace.checkInvariants()
      #expect(trace.issues == [])
      #expect(trace.spans.unfinished == [])
      result = (trace, try StudioLog(place.appending(path: "studio.log")))
    }
    return try #require(result)
  }

  /// The value of a name that a span was given, by span.
  private func values(_ name: String, in trace: Trace) -> [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: trace.values.filter { trace.names[$0.name] == name }.map {
        ($0.span, Int($0.value))
      })
  }

  private func thread(_ track: Int?, in trace: Trace) -> Int? {
    track.map { Int(trace.tracks[$0].threadID) }
  }

  /// The row of each span.
  private func rows(of trace: Trace) -> [Int] {
    var rows = Array(repeating: 0, count: trace.spans.count)
    for (index, track) in trace.tracks.enumerated() {
      for span in track.spans { rows[span] = index }
    }
    return rows
  }

  @Test func everyTaskHasItsSpans() throws {
    let (trace, log) = try run(frames: 60)
    let rows = rows(of: trace)
    let workers = values("worker", in: trace)
    #expect(workers.count == 9)
    var logged: [Int: [Int]] = [:]
    for fact in log.facts("task").map({ $0.map { Int($0) ?? 0 } }) {
      logged[fact[0]] = Array(fact[1...])
    }
    for (span, worker) in workers {
      let row = rows[span]
      let task = try #require(trace.task(ofSpan: span, on: row))
      let spans = trace.tracks[row].spans
      func count(_ name: String) -> Int { spans.filter { trace.name(ofSpan: $0) == name }.count }
      // Spans without `await` are on threads, tied to the task.
      let parts = trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }.reduce(0) {
        sum, track in
        sum
          + trace.tracks[track].spans.filter {
            trace.name(ofSpan: $0) == "part" && trace.task(ofSpan: $0, on: track) == task
          }.count
      }
      #expect([count("job"), parts, count("fetch")] == logged[worker], "worker \(worker)")
      // All of it lies in the worker's span.
      #expect(spans.allSatisfy { $0 == span || trace.spans.parent[$0] != Trace.Spans.none })
    }
    // Each job ran on the thread that the log names, and its link led there from the one that asked.
    let asked = Dictionary(uniqueKeysWithValues: log.facts("asked").map { ($0[0], $0[1]) })
    let ran = Dictionary(uniqueKeysWithValues: log.facts("run").map { ($0[0], $0[1]) })
    let jobs = values("job", in: trace)
    #expect(jobs.count == 180 && asked.count == 180)
    let links = Dictionary(
      grouping: trace.flows.filter {
        $0.begin.map { trace.names[trace.callSites[Int($0.site.index)].name] } == "job"
      }
    ) { $0.ends.first?.task }
    for (span, job) in jobs {
      let task = trace.task(ofSpan: span, on: rows[span])
      let link = try #require(
        links[task]?.first { link in
          link.ends.count == 1
            && (trace.spans.start[span]...trace.spans.end[span]).contains(link.ends[0].time)
        })
      #expect(thread(link.begin?.track, in: trace).map(String.init) == asked["\(job)"])
      #expect(thread(link.ends[0].track, in: trace).map(String.init) == ran["\(job)"])
    }
  }

  @Test func everyWaitNamesItsEnd() throws {
    let (trace, log) = try run(frames: 200)
    let rows = rows(of: trace)
    let zero = try monotonicZero(of: trace, log: log)
    var seen: [Trace.Wait.Kind: Int] = [:]
    var lastQueueWait = -1
    let onDisk = log.facts("on disk")
    let fetched = Dictionary(uniqueKeysWithValues: log.facts("fetched").map { ($0[0], $0[1]) })
    let fetches = values("fetch", in: trace)
    let finished = Set(log.facts("finished").map { $0[1] })
    let signalled = Set(log.facts("signalled").map { $0[0] })
    let locks = log.facts("lock")
    for wait in trace.waits {
      seen[wait.kind, default: 0] += 1
      let name = trace.name(ofSpan: wait.span)
      let ender = try #require(thread(wait.endedByTrack, in: trace), "\(name)")
      switch wait.kind {
      case .lock:
        // The first that this thread says after the wait: it says whose turn was before.
        let waiter = String(trace.tracks[rows[wait.span]].threadID)
        let end = trace.spans.end[wait.span] + zero
        let fact = try #require(
          locks.filter { $0[0] == name && $0[1] == waiter && (Int64($0[3]) ?? 0) >= end - 20_000 }
            .min { (Int64($0[3]) ?? 0) < (Int64($1[3]) ?? 0) })
        #expect(fact[2] == "\(ender)", "\(name) of \(waiter)")
      case .await:
        #expect(fetched["\(try #require(fetches[wait.span]))"] == "\(ender)")
      case .queue:
        // The main thread alone waits for the disk, in this order.
        #expect(wait.span > lastQueueWait)
        lastQueueWait = wait.span
        #expect(onDisk[seen[.queue, default: 1] - 1][1] == "\(ender)")
      case .semaphore where name == "all done":
        #expect(finished.contains("\(ender)"))
      case .semaphore:
        #expect(signalled == ["\(ender)"])
      default:
        Issue.record("a wait of kind \(wait.kind)")
      }
    }
    #expect(seen[.await] == fetched.count && fetched.count == 200)
    #expect(seen[.queue] == onDisk.count && onDisk.count == 50)
    #expect(seen[.lock, default: 0] > 0 && seen[.semaphore, default: 0] > 0, "\(seen)")
    // Those of an even number are done before anybody waits, and they say that.
    for wait in trace.waits where wait.kind == .await {
      let (number, endedAt) = (try #require(fetches[wait.span]), try #require(wait.endedAt))
      if number % 2 == 0 { #expect(endedAt < trace.spans.start[wait.span], "\(number)") }
    }
  }

  @Test func everyFrameHasItsStages() throws {
    let (trace, log) = try run(frames: 120)
    let rows = rows(of: trace)
    let series = try #require(trace.frameSeries.first)
    #expect(series.mode == .presented)
    #expect(series.frames.count == 120)
    var expected: [String: Int] = [:]
    for fact in log.facts("stage") { expected[fact.joined(separator: " "), default: 0] += 1 }
    var found: [String: Int] = [:]
    for stage in trace.stages {
      let thread = trace.tracks[rows[stage.span]].threadID
      found["\(stage.frame) \(trace.name(ofSpan: stage.span)) \(thread)", default: 0] += 1
    }
    #expect(found == expected)
    #expect(expected.count >= 240)
    let zero = try monotonicZero(of: trace, log: log)
    var shown: [String] = []
    for frame in series.frames {
      if let time = frame.presented { shown.append("\(frame.number) \(time + zero)") }
    }
    #expect(shown == log.facts("shown").map { $0.joined(separator: " ") })
    // The display's own row begins its passes at these moments.
    let display = try #require(trace.tracks.first { $0.kind == .track })
    #expect(display.name == "display")
    #expect(
      display.spans.map { trace.spans.start[$0] } == series.frames.compactMap(\.presented))
    #expect(series.rests.map(\.kind) == [.paused])
    #expect(
      series.frames.filter(\.isDiscarded).map { "\($0.number)" }
        == log.facts("discarded").map { $0[0] })
  }

  /// CLOCK_MONOTONIC at time 0 of the trace: targets are multiples of the period.
  private func monotonicZero(of trace: Trace, log: StudioLog) throws -> Int64 {
    let frame = try #require(trace.frameSeries.first?.frames.first { $0.presented != nil })
    let shown = try #require(log.facts("shown").first { $0[0] == "\(frame.number)" })
    return try #require(Int64(shown[1])) - (try #require(frame.presented))
  }
}
