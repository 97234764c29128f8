import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

@Suite struct ComparisonTests {
  @Test(arguments: [1, 2, 3, 6])
  func aSetAndItselfDifferInNothing(_ count: UInt64) throws {
    let runs = try ComparedLoop().runs(1..<1 + count)
    let comparison = Comparison(runs, runs)
    #expect(comparison.verdict == .noChange)
    #expect(comparison.ratio.a > 10 && comparison.ratio.change == 0)
    #expect(comparison.causes.allSatisfy { $0.blame.change == 0 && $0.verdict == .noChange })
    #expect(comparison.spans.allSatisfy { $0.time.change == 0 && !$0.differs })
    #expect(comparison.mismatches.allSatisfy { $0.isUnknown })
    let (a, b) = comparison.overruns()
    #expect(a == b)
    #expect(a.distance(to: b)?.mean == 0 && a.distance(to: b)?.widest == 0)
    let interval = try #require(comparison.ratio.interval())
    #expect(interval.lowerBound == -interval.upperBound && interval.upperBound > 0)
  }

  @Test(arguments: [1, 3])
  func swappedSetsGiveTheOppositeExactly(_ count: UInt64) throws {
    let a = try ComparedLoop(lateShare: 0.2).runs(1..<1 + count)
    let b = try ComparedLoop(name: "parse").runs(11..<12 + count)
    let (there, back) = (Comparison(a, b), Comparison(b, a))
    #expect(there.ratio.change == -back.ratio.change && there.ratio.change != 0)
    let (first, second) = (
      try #require(there.ratio.interval()), try #require(back.ratio.interval())
    )
    #expect(first.lowerBound == -second.upperBound && first.upperBound == -second.lowerBound)
    #expect(there.ratio.leastSeen == back.ratio.leastSeen)
    let opposite: [CauseChange.Verdict: CauseChange.Verdict] = [
      .new: .gone, .gone: .new, .perhapsNew: .perhapsGone, .perhapsGone: .perhapsNew,
      .worse: .better, .better: .worse, .noChange: .noChange,
    ]
    #expect(there.causes.map(\.signature) == back.causes.map(\.signature))
    for (one, other) in zip(there.causes, back.causes) {
      #expect(one.blame.change == -other.blame.change)
      #expect(opposite[one.verdict] == other.verdict)
    }
    for (one, other) in zip(there.spans, back.spans) {
      #expect(one.name == other.name && one.time.change == -other.time.change)
    }
  }

  @Test func theSameRunsOnceMoreMakeItSurer() throws {
    let a = try ComparedLoop().runs(1..<4)
    let b = try ComparedLoop(lateShare: 0.15).runs(11..<14)
    func width(_ comparison: Comparison) throws -> Double {
      let interval = try #require(comparison.ratio.interval())
      return interval.upperBound - interval.lowerBound
    }
    let (once, twice) = (Comparison(a, b), Comparison(a + a, b + b))
    #expect(once.ratio.change == twice.ratio.change)
    #expect(try width(twice) < width(once))
    #expect(try width(Comparison(a + a + a, b + b + b)) < width(twice))
    #expect(twice.ratio.leastSeen < once.ratio.leastSeen)
  }

  @Test func theSameTracesGiveTheSameFigures() throws {
    func comparison() throws -> Comparison {
      Comparison(
        try ComparedLoop().runs(1..<6), try ComparedLoop(lateShare: 0.3, name: "x").runs(7..<12))
    }
    let (first, second) = (try comparison(), try comparison())
    #expect(first.ratio == second.ratio)
    #expect(first.causes.map(\.signature) == second.causes.map(\.signature))
    #expect(first.causes.map(\.blame) == second.causes.map(\.blame))
    #expect(first.spans.map(\.name) == second.spans.map(\.name))
  }

  @Test func aWorseSetIsWorseAndItsCauseIsNamed() throws {
    let a = try ComparedLoop().runs(1..<6)
    let b = try ComparedLoop(lateShare: 0.4).runs(11..<16)
    let comparison = Comparison(a, b)
    #expect(comparison.verdict == .worse)
    #expect(comparison.unit == .run)
    #expect(comparison.causes.first?.signature.path.last == "load")
    #expect(comparison.causes.first?.verdict == .worse)
    #expect(comparison.spans.first?.name == "load" && comparison.spans.first?.differs == true)
    #expect(Comparison(b, a).verdict == .better)
  }

  @Test func aCauseOfOneSetAloneIsNewOrGone() throws {
    let a = try ComparedLoop().runs(1..<6)
    let b = try ComparedLoop(name: "parse").runs(11..<16)
    let comparison = Comparison(a, b)
    func verdict(_ name: String) -> CauseChange.Verdict? {
      comparison.causes.first { $0.signature.path.last == name }?.verdict
    }
    #expect(verdict("parse") == .new)
    #expect(verdict("load") == .gone)
    // One run can have had it by chance.
    let few = Comparison(Array(a[..<1]), Array(b[..<1]))
    #expect(few.unit == .block)
    #expect(few.causes.first { $0.signature.path.last == "parse" }?.verdict == .perhapsNew)
    #expect(few.causes.first { $0.signature.path.last == "load" }?.verdict == .perhapsGone)
  }

  @Test func whatCausesBearAddsUpToTheRatios() throws {
    for (a, b) in [(1, 1), (3, 4)] as [(UInt64, UInt64)] {
      let comparison = Comparison(
        try ComparedLoop().runs(1..<1 + a),
        try ComparedLoop(lateShare: 0.3, name: "parse").runs(5..<5 + b))
      let sums = comparison.causes.reduce((0.0, 0.0)) { ($0.0 + $1.blame.a, $0.1 + $1.blame.b) }
      #expect((sums.0 - comparison.ratio.a).magnitude < 1e-9)
      #expect((sums.1 - comparison.ratio.b).magnitude < 1e-9)
    }
  }

  @Test func runsWithoutHitchesAreComparedToo() throws {
    let calm = try ComparedLoop(lateShare: 0).runs(1..<4)
    let late = try ComparedLoop(lateShare: 0.3).runs(1..<4)
    let same = Comparison(calm, calm)
    #expect(same.verdict == .noChange && same.ratio.a == 0)
    #expect(same.ratio.interval() == 0...0)
    #expect(same.ratio.relativeInterval() == nil && same.ratio.relativeChange.isNaN)
    #expect(Comparison(calm, late).verdict == .worse)
    #expect(Comparison(late, calm).verdict == .better)
  }

  @Test func whatIsTooShortIsNotJudged() throws {
    let short = ComparedLoop(lateShare: 0.5, frames: 10)
    let comparison = Comparison([try short.run(seed: 1)], [try short.run(seed: 2)])
    #expect(comparison.verdict == .unknown)
    #expect(comparison.ratio.interval() == nil && comparison.ratio.probability.isNaN)
    #expect(comparison.ratio.leastSeen.isNaN)
  }

  @Test func partsOfARunAddUpToIt() throws {
    for frames in [10, 40, 150, 700] {
      let run = try ComparedLoop(frames: frames).run(seed: 7)
      guard !run.blocks.isEmpty else {
        #expect(run.activeTime < 1_000_000_000)
        continue
      }
      #expect(run.blocks.reduce(0) { $0 + $1.activeTime } == run.activeTime)
      #expect(run.blocks.reduce(0) { $0 + $1.hitchTime } == run.hitchTime)
      for block in run.blocks + [run.whole] {
        #expect(block.blame.values.reduce(0, +) == block.hitchTime)
        #expect(block.activeTime >= 500_000_000)
      }
    }
  }

  @Test func onlyTheAskedPartCounts() throws {
    let whole = try ComparedLoop().run(seed: 3)
    let part = try ComparedLoop().run(seed: 3, ranges: [0 ..< .ms(1000)])
    #expect(part.frameCount < whole.frameCount && part.frameCount > 30)
    #expect(part.whole.blame.values.reduce(0, +) == part.hitchTime)
    #expect((part.spanTimes["update"] ?? 0) <= .ms(6 * Double(part.frameCount)))
    #expect((part.spanTimes["update"] ?? 0) >= .ms(6 * Double(part.frameCount - 1)))
  }

  /// In one run `cell` stands for its seven parts, in the other one of them stands alone.
  @Test func placesThatAreCausesInOneRunAreCausesInAll() throws {
    func run(_ late: Double, text: Double) throws -> RunFigures {
      var loop = LoopBuilder()
      for frame in 0..<100 {
        loop.pass { frameSpan in
          frameSpan.span("cell") { cell in
            for part in ["text", "b", "c", "d", "e", "f", "g"] {
              let isLate = frame % 10 == 5
              cell.span(part, lasting: .ms(!isLate ? 1 : part == "text" ? text : late))
            }
          }
        }
      }
      let trace = try loop.builder.build()
      let series = try #require(trace.frames(named: "frame", refresh: .ms(20)))
      return RunFigures(of: trace, series: series)
    }
    let (a, b) = (try run(4, text: 4), try run(1, text: 25))
    let (cell, text) = (["frame", "cell"], ["frame", "cell", "text"])
    #expect(Set(a.causes.map(\.path)) == [cell])
    #expect(Set(b.causes.map(\.path)) == [text])
    let causes = Comparison([a, a, a], [b, b, b]).causes
    func blame(_ path: [String]) -> Difference? {
      causes.first { $0.signature.path == path }?.blame
    }
    // Six of seven parts are with `cell`, one with `text`, in both.
    let ratio = a.hitchRatio
    #expect(((blame(cell)?.a ?? 0) / ratio - 6.0 / 7).magnitude < 0.01)
    #expect(((blame(text)?.a ?? 0) / ratio - 1.0 / 7).magnitude < 0.01)
    #expect(blame(cell)?.b == 0 && blame(text)?.b == b.hitchRatio)
    #expect(causes.first { $0.signature.kind == .other } == nil)
  }

  @Test func sessionsAreActivitiesWhereTheyAreAskedFor() throws {
    let runs = try ComparedLoop(lateShare: 0.2).runs(1..<11)
    let set = RunSet(runs)
    #expect(set.sessions == runs.map(\.hitchRatio).sorted())
    #expect(set.sessions(percentile: 90) == set.sessions[8])
    #expect(set.sessions(percentile: 50) == set.sessions[4])
    let interval = try #require(set.interval)
    #expect(interval.contains(set.hitchRatio) && set.unit == .run && set.leastSeen > 0)
    let trace = try ComparedLoop(lateShare: 0.5).trace(seed: 1)
    let series = try #require(trace.frames(named: "frame", refresh: .ms(20)))
    let ranges: [Range<Int64>] = [
      .ms(0) ..< .ms(500), .ms(800) ..< .ms(900), .ms(90_000) ..< .ms(90_001),
    ]
    let run = RunFigures(of: trace, series: series, ranges: ranges, activities: ranges)
    let judged = JudgedFrames(of: series, in: trace)
    // No frame begins in the last one.
    #expect(run.activityRatios == ranges.prefix(2).map { judged.within([$0]).hitchRatio })
    #expect(RunSet([run, run]).sessions.count == 4)
  }
}
