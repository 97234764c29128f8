import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// The time of left-out spans is blamed like that of recorded ones.
@Suite struct FoldedBlameTests {
  @Test func fiftyThousandTimesTwoMicrosecondsAreTheCause() throws {
    // Good frames: 10,000 · 2 µs = 20 ms of 30, and 5 ms of draw. Late: 100 ms, so 75 ms too many.
    var loop = LoopBuilder()
    func pass(_ count: Int) {
      loop.pass { frame in
        frame.span("layout") { layout in
          layout.pass(.ms(1))
          layout.foldedSpans("measure", count: count, lasting: 2_000)
        }
        frame.span("draw", lasting: .ms(5))
      }
    }
    for frame in 0..<41 { pass(frame == 20 ? 50_000 : 10_000) }
    let blame = try loop.blame(refresh: 31)
    #expect(blame.hitches.map(\.frame.number) == [20])
    #expect(blame.causes.summary == ["frame>layout>measure (folded) 75000000"])
    let cause = try #require(blame.causes.first)
    #expect(cause.kind == .folded)
    #expect(cause.path == ["frame", "layout", "measure"])
    #expect([cause.normalTime, cause.lateTime] == [.ms(20), .ms(100)])
    #expect([cause.normalCalls, cause.lateCalls] == [10_000, 50_000])
    #expect(blame.foldedTime == (.ms(900), 0))
  }

  @Test func slowerCallsAreTheCauseToo() throws {
    var loop = LoopBuilder()
    for frame in 0..<41 {
      loop.pass { $0.foldedSpans("read", count: 1_000, lasting: frame == 20 ? 15_000 : 5_000) }
    }
    let blame = try loop.blame(refresh: 8)
    #expect(blame.causes.summary == ["frame>read (folded) 7000000"])
    #expect(blame.causes[0].normalCalls == 1_000)
    #expect(blame.causes[0].lateCalls == 1_000)
    #expect(blame.causes[0].lateTime == .ms(15))
  }

  @Test func recordedAndLeftOutSpansOfANameAreTwoCauses() throws {
    var loop = LoopBuilder()
    for frame in 0..<41 {
      loop.pass { body in
        body.span("cell", lasting: frame == 20 ? .ms(6) : .ms(2))
        body.foldedSpans("cell", count: 100, lasting: frame == 20 ? 50_000 : 10_000)
      }
    }
    let blame = try loop.blame(refresh: 3)
    #expect(blame.causes.summary == ["frame>cell 4000000", "frame>cell (folded) 4000000"])
  }

  @Test func aSumStandsWhereMostOfItsTimeWasSpent() throws {
    var loop = LoopBuilder()
    for frame in 0..<41 {
      loop.pass { $0.foldedSpans("read", count: 1_000, lasting: frame == 20 ? 9_000 : 1_000) }
    }
    var trace = try loop.builder.build()
    let name = try #require(trace.names.find("read"))
    let file = trace.names.intern("Read.swift")
    // Two places of the name; the sums are those of the second.
    let second = try #require(trace.callSites.firstIndex { $0.name == name })
    trace.callSites[second] = Trace.CallSite(name: name, file: file, line: 20)
    trace.callSites.append(Trace.CallSite(name: name, file: file, line: 10))
    let last = CallSiteID(UInt32(trace.callSites.count - 1))
    for index in trace.folded.indices where trace.folded[index].selfTime < .ms(2) {
      trace.folded[index].site = last
    }
    let series = try #require(trace.frames(named: "frame", refresh: .ms(5)))
    let cause = try #require(Blame(of: trace, series: series).causes.first)
    #expect(cause.path == ["frame", "read"])
    #expect(cause.line == 20)
  }

  /// Short spans without spans in them that lie in one frame and whose names are always short: the
  /// rows of both traces are the same, so the bound is 0.
  @Test(arguments: Array<UInt64>(1...12))
  func leavingOutShortSpansChangesNoBlame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var loop = LoopBuilder()
    for _ in 0..<80 {
      let isSlow = Int.random(in: 0..<8, using: &random) == 0
      let counts = [isSlow ? Int.random(in: 200...400, using: &random) : 40, 30]
      loop.pass { frame in
        for name in ["layout", "draw"] {
          frame.span(name) { part in
            part.pass(.random(in: 100_000...300_000, using: &random))
            for leaf in 0..<2 {
              for _ in 0..<counts[name == "layout" ? leaf : 1] {
                let time = Int64.random(in: 5_000...30_000, using: &random)
                part.span("\(name) \(leaf)", lasting: time)
                part.pass(.random(in: 0...2_000, using: &random))
              }
            }
          }
        }
        frame.foldless(&random)
      }
    }
    let whole = try loop.builder.build()
    let folded = whole.folding(below: 40_000)
    try folded.checkInvariants()
    #expect(!folded.folded.isEmpty)
    let blames = try [whole, folded].map { trace in
      Blame(of: trace, series: try #require(trace.frames(named: "frame", refresh: .ms(6))))
    }
    #expect(!blames[0].hitches.isEmpty, "seed \(seed)")
    #expect(blames[1].foldedTime.left == 0)
    let shorts = Set(["layout 0", "layout 1", "draw 0", "draw 1"])
    for (one, other) in zip(blames[0].hitches, blames[1].hitches) {
      #expect(one.causes.map(\.path) == other.causes.map(\.path), "seed \(seed)")
      #expect(one.causes.map(\.blame) == other.causes.map(\.blame), "seed \(seed)")
      #expect(one.causes.map(\.lateCalls) == other.causes.map(\.lateCalls), "seed \(seed)")
    }
    #expect(blames[0].hitches.count == blames[1].hitches.count)
    for cause in blames[1].causes {
      let isShort = shorts.contains(cause.path.last ?? "")
      #expect((cause.kind == .folded) == isShort, "\(cause.path), seed \(seed)")
    }
  }

  /// However short spans are nested and wherever they lie: what a span that stays bears with all in
  /// it is what it bears in the whole trace, to the nanosecond.
  @Test(arguments: Array<UInt64>(1...12))
  func whatASpanBearsWithAllInItStaysTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    builder.span("run") { run in
      for _ in 0..<90 {
        run.span("fetch", lasting: .random(in: .ms(1)...(.ms(2)), using: &random))
        let end = run.now + .random(in: .ms(2)...(.ms(6)), using: &random)
        run.span("work") { work in
          while work.now < end { addShort(to: &work, depth: 0, random: &random) }
          // The mark stands in the span, and may stand in a short one.
          marks.append(work.now - .random(in: 0...200_000, using: &random))
          work.pass(.random(in: 0...100_000, using: &random))
        }
      }
    }
    builder.marks("loop", at: marks, refresh: .ms(6))
    let whole = try builder.build()
    let folded = whole.folding(below: 400_000, dividedAt: marks)
    try folded.checkInvariants()
    #expect(folded.spans.count == 181 && !folded.folded.isEmpty, "seed \(seed)")
    let blames = [whole, folded].map { Blame(of: $0, series: $0.frameSeries[0]) }
    #expect(blames[0].hitches.count > 5, "seed \(seed)")
    for (one, other) in zip(blames[0].hitches, blames[1].hitches) {
      let sums: [[String: Int64]] = [one, other].map { hitch in
        Dictionary(
          hitch.causes.map { ($0.path.prefix(2).joined(separator: ">"), $0.blame) },
          uniquingKeysWith: +)
      }
      #expect(sums[0] == sums[1], "frame \(one.frame.number), seed \(seed)")
      #expect(other.causes.total == other.lateness, "seed \(seed)")
    }
  }

  private func addShort(
    to builder: inout TraceBuilder, depth: Int, random: inout SeededGenerator
  ) {
    builder.span(["a", "b", "c"].randomElement(using: &random) ?? "a") { span in
      span.pass(.random(in: 0...20_000, using: &random))
      for _ in 0..<Int.random(in: 0...(depth < 3 ? 2 : 0), using: &random) {
        addShort(to: &span, depth: depth + 1, random: &random)
      }
    }
  }

  /// Sums as no recorder writes them, and laws that hold all the same.
  @Test(arguments: Array<UInt64>(1...150)) func sumsOfAnyKindKeepTheLaws(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var trace = try BlameLawTests().randomTrace(seed: seed)
    if Bool.random(using: &random) { trace = trace.folding(below: .ms(1)) }
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      let isTop = Int.random(in: 0..<4, using: &random) == 0
      let span = Int.random(in: 0..<trace.spans.count, using: &random)
      let track = trace.tracks.firstIndex { $0.spans.contains(span) } ?? 0
      let start = Int64.random(in: -10...(.ms(620)), using: &random)
      let own = [Int64(0), -5, 100, .ms(1), .ms(9), .max].randomElement(using: &random) ?? 0
      trace.folded.append(
        Trace.FoldedSpans(
          reason: Int.random(in: 0..<9, using: &random) == 0 ? .overDepth : .belowMinimum,
          track: track, parent: isTop ? Trace.Spans.none : UInt32(span),
          site: CallSiteID(.random(in: 0..<UInt32(trace.callSites.count), using: &random)),
          range: start..<start + 1000,
          count: [0, 1, 7, .max].randomElement(using: &random) ?? 0, total: own, selfTime: own,
          longest: own))
    }
    try trace.checkInvariants()
    // The engine itself stops where a window is not divided without rest.
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    for hitch in blame.hitches {
      #expect(hitch.causes.total == hitch.lateness, "frame \(hitch.frame.number), seed \(seed)")
      #expect(hitch.causes.allSatisfy { $0.blame > 0 }, "seed \(seed)")
      let keys = Set(hitch.causes.map { "\($0.kind) \($0.path)" })
      #expect(keys.count == hitch.causes.count, "a cause stands there twice, seed \(seed)")
    }
    #expect(blame.causes.total == blame.frames.hitchTime, "seed \(seed)")
    let again = Blame(of: trace, series: trace.frameSeries[0])
    #expect(again.causes == blame.causes, "seed \(seed)")
  }
}

extension TraceBuilder {
  /// A part of a frame with no short spans in it.
  fileprivate mutating func foldless(_ random: inout SeededGenerator) {
    span("present", lasting: .random(in: 200_000...400_000, using: &random))
  }
}
