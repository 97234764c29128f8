import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct SpanStatisticsTests {
  /// Two rows: `a` with two `b` in it, one of which calls `a` again; left-out `x` in and outside.
  private func example() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 0, to: 100) { a in
      a.span("b", from: 10, to: 40) { b in
        b.span("a", from: 20, to: 30)
        b.foldedSpans("x", count: 4, lasting: 2)
      }
      a.span("b", from: 60, to: 70)
    }
    builder.advance(to: 110)
    builder.foldedSpans("x", count: 3, lasting: 3)
    builder.span("b", from: 150, to: 160)
    builder.track("worker")
    builder.span("b", from: 0, to: 1_000)
    builder.span("c", from: 1_000, to: 1_000)
    builder.leaveOpen(span: 5)
    return try builder.build()
  }

  private func lines(_ statistics: SpanStatistics, _ trace: Trace) -> [String] {
    statistics.groups.map {
      let folded = $0.foldedCount > 0 ? " folded \($0.foldedCount) \($0.foldedTime)" : ""
      return "\(trace.names[$0.name]) \($0.count) \($0.total) \($0.selfTime)\(folded)"
    }
  }

  @Test func eachInstantBelongsToOneName() throws {
    let trace = try example()
    let all = SpanStatistics(of: trace)
    #expect(
      lines(all, trace) == [
        // 100 − 30 − 10 in the outer a, 10 in the inner one.
        "a 2 100 70",
        // 30 − 10 − 8, 10, 10, and 1000 of the worker.
        "b 4 1050 1032", "c 1 0 0", "x 0 0 0 folded 7 17",
      ])
    #expect(all.busyTime == 100 + 10 + 1_000 + 9)
    #expect(all.unplacedTime == 0)
    // The worker's b has not ended.
    #expect(all.groups[1].unfinished == 1)
    #expect(all.groups[1].durations?.longest == 30)
    #expect(all.groups[3].durations == nil)
    #expect(all.groups[3].foldedLongest == 3)
    #expect(all.groups[3].longest == 3)
  }

  @Test func onlyTheAskedRowsCount() throws {
    let trace = try example()
    var options = SpanStatistics.Options()
    options.tracks = [0]
    let main = SpanStatistics(of: trace, options: options)
    #expect(lines(main, trace) == ["a 2 100 70", "b 3 50 32", "x 0 0 0 folded 7 17"])
    #expect(main.busyTime == 119)
    options.tracks = []
    #expect(SpanStatistics(of: trace, options: options).groups.isEmpty)
  }

  @Test func aRangeCutsTimesButNotDurations() throws {
    let trace = try example()
    var options = SpanStatistics.Options()
    options.tracks = [0]
    options.range = 25..<65
    let part = SpanStatistics(of: trace, options: options)
    // In both a together 25 to 65; b 25 to 40 and 60 to 65; the inner a 25 to 30; x from 30 on.
    #expect(lines(part, trace) == ["a 2 40 25", "b 2 20 7", "x 0 0 0 folded 4 8"])
    #expect(part.busyTime == 40)
    #expect(part.groups[0].durations?.longest == 100)
    #expect(part.groups[1].durations?.median == 10)
    // At the edge: what begins there counts, what ends there doesn't.
    options.range = 40..<60
    #expect(lines(SpanStatistics(of: trace, options: options), trace) == ["a 1 20 20"])
  }

  @Test func callSitesAreApart() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", file: "A.swift", line: 2, lasting: 5)
    builder.span("a", file: "A.swift", line: 1) {
      $0.span("a", file: "A.swift", line: 2, lasting: 7)
    }
    let trace = try builder.build()
    var options = SpanStatistics.Options()
    #expect(lines(SpanStatistics(of: trace), trace) == ["a 3 12 12"])
    options.grouping = .site
    let sites = SpanStatistics(of: trace, options: options)
    #expect(sites.groups.map { trace.callSites[Int($0.site?.index ?? 9)].line } == [1, 2])
    #expect(lines(sites, trace) == ["a 1 7 0", "a 2 12 12"])
  }

  @Test func sumsThatDoNotFitAreCounted() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 0, to: 10) { $0.foldedSpans("x", count: 30, lasting: 1) }
    builder.span("b", from: 90, to: 100)
    var trace = try builder.build()
    trace.folded[0].range = 0..<10
    // 80 ns are outside of spans; and a count without time.
    var top = trace.folded[0]
    top.parent = Trace.Spans.none
    top.selfTime = 85
    var deeper = trace.folded[0]
    (deeper.reason, deeper.count) = (.overDepth, 12)
    trace.folded += [top, deeper]
    let statistics = SpanStatistics(of: trace)
    #expect(lines(statistics, trace) == ["a 1 10 0", "b 1 10 10", "x 0 0 0 folded 60 115"])
    #expect(statistics.busyTime == 100)
    #expect(statistics.unplacedTime == 25)
    #expect(statistics.overDepth == 12)
  }

  @Test func theOrderIsChosen() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("outer") { outer in
      outer.span("long", lasting: 50)
      for _ in 0..<4 { outer.span("often", lasting: 5) }
      outer.foldedSpans("tiny", count: 60, lasting: 1)
    }
    let trace = try builder.build()
    let statistics = SpanStatistics(of: trace)
    func names(_ order: SpanStatistics.Order) -> [String] {
      statistics.sorted(by: order).map { trace.names[$0.name] }
    }
    #expect(names(.own) == ["tiny", "long", "often", "outer"])
    #expect(names(.total) == ["outer", "tiny", "long", "often"])
    #expect(names(.count) == ["tiny", "often", "long", "outer"])
    #expect(names(.longest) == ["outer", "long", "often", "tiny"])
  }

  /// Percentiles against sorting, for few and for many durations.
  @Test(arguments: [1, 2, 99, 100, 101, 4_096, 4_097, 20_000])
  func percentilesAreThoseOfTheSortedDurations(count: Int) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var builder = TraceBuilder()
      builder.track("main")
      let greatest = [Int64(0), 3, 5_000, .ms(10), .ms(100_000)].randomElement(using: &random) ?? 0
      var durations: [Int64] = []
      for _ in 0..<count {
        let top = Int64.random(in: 0...greatest, using: &random)
        durations.append(.random(in: 0...top, using: &random))
        builder.span("a", lasting: durations[durations.count - 1])
      }
      durations.sort()
      let found = try #require(SpanStatistics(of: try builder.build()).groups.first?.durations)
      // The least that so many in a hundred are not above.
      func ranked(_ percent: Int) -> Int64 { durations[(count * percent + 99) / 100 - 1] }
      #expect(
        [found.median, found.p90, found.p99, found.longest]
          == [ranked(50), ranked(90), ranked(99), durations[count - 1]], "seed \(seed)")
    }
  }

  /// On random traces: own times add up to the busy time, and leaving out spans changes none.
  @Test(arguments: Array<UInt64>(1...40)) func ownTimesAddUpToTheBusyTime(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = try BlameLawTests().randomTrace(seed: seed)
    let folded = whole.folding(below: .random(in: 0...(.ms(1)), using: &random))
    for trace in [whole, folded] {
      var options = SpanStatistics.Options()
      if Bool.random(using: &random) {
        options.range = .random(in: 0...(.ms(300)), using: &random)..<(.ms(400))
      }
      options.grouping = Bool.random(using: &random) ? .name : .site
      let statistics = SpanStatistics(of: trace, options: options)
      let own = statistics.groups.reduce(0) { $0 + $1.ownTime }
      #expect(own == statistics.busyTime + statistics.unplacedTime, "seed \(seed)")
      #expect(statistics.groups.allSatisfy { $0.selfTime >= 0 && $0.selfTime <= $0.total })
    }
    // Without a range nothing is cut: each name has the own time that it has in the whole trace.
    let all = [whole, folded].map { trace in
      Dictionary(
        uniqueKeysWithValues: SpanStatistics(of: trace).groups.map {
          (trace.names[$0.name], [$0.ownTime, Int64($0.count + $0.foldedCount)])
        })
    }
    #expect(all[0] == all[1], "seed \(seed)")
  }
}
