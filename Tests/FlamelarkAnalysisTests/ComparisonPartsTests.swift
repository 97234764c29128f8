import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// The parts of a comparison, each with figures that can be checked by hand.
@Suite struct ComparisonPartsTests {
  /// The worked example of Documentation/Compare.md.
  @Test func theWorkedExampleIsAsItIsWritten() throws {
    func estimate(_ late: [Int64]) -> RatioEstimate {
      RatioEstimate(late.map { $0 * 1_000_000 }, of: late.map { _ in 10_000_000_000 })
    }
    let difference = Difference(estimate([196, 210, 203]), estimate([88, 79, 85]))
    #expect((difference.a - 20.3).magnitude < 1e-9)
    #expect((difference.b - 8.4).magnitude < 1e-9)
    #expect((difference.standardError - 0.4830).magnitude < 5e-5)
    #expect((difference.degrees - 3.448).magnitude < 5e-4)
    let interval = try #require(difference.interval())
    #expect((interval.lowerBound - -13.63).magnitude < 0.02, "\(interval)")
    #expect((interval.upperBound - -10.17).magnitude < 0.02, "\(interval)")
    let relative = try #require(difference.relativeInterval())
    #expect((relative.lowerBound - -0.639).magnitude < 0.002, "\(relative)")
    #expect((relative.upperBound - -0.529).magnitude < 0.002, "\(relative)")
    #expect((difference.leastSeen - 2.19).magnitude < 0.02, "\(difference.leastSeen)")
  }

  @Test func runsOfDifferentLengthCountByTheirTime() {
    // 10 ms in 1 s and 10 ms in 3 s are 5 ms/s; each is 5 ms from that, in 2 s on average.
    let estimate = RatioEstimate([10_000_000, 10_000_000], of: [1_000_000_000, 3_000_000_000])
    #expect((estimate.value - 5).magnitude < 1e-12)
    #expect((estimate.variance - (50.0 / 1 / 2 / 4)).magnitude < 1e-9)
    #expect(RatioEstimate([1], of: [0]).value == 0)
    #expect(RatioEstimate([1], of: [0]).variance.isNaN)
    let greatest = RatioEstimate([.max, .max], of: [.max, .max])
    #expect(greatest.value == 1000)
  }

  @Test func relativeIntervalsLeaveOutZeroWhereTheOthersDo() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      func estimate() -> RatioEstimate {
        RatioEstimate(
          (0..<4).map { _ in Int64.random(in: 50...100, using: &generator) },
          of: [500, 600, 500, 400])
      }
      let difference = Difference(estimate(), estimate())
      guard let whole = difference.interval(), let part = difference.relativeInterval() else {
        continue
      }
      #expect(whole.contains(0) == part.contains(0))
      #expect(part.contains(difference.relativeChange))
    }
  }

  /// The example of Benjamini and Hochberg (1995), at our level: the steps are 0.002.
  @Test func ofManyThoseAreChosenThatOneRuleChooses() {
    let family = Family([
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719,
      0.6528, 0.7590, 1,
    ])
    #expect(
      family.isChosen == Array(repeating: true, count: 3) + Array(repeating: false, count: 12))
    #expect((family.intervalLevel - 0.006).magnitude < 1e-12)
    // A later one that is small enough takes those before it along.
    #expect(Family([0.029, 0.028]).isChosen == [true, true])
    #expect(Family([0.029, 0.031]).isChosen == [false, false])
    #expect(Family([.nan, 0.02]).isChosen == [false, true])
    #expect(Family([]).isChosen.isEmpty)
  }

  @Test func presenceInOneSetIsChanceWithFewRuns() {
    // 5 of 10 runs, all on one side: 2 of 252 cases.
    #expect((Presence.share(of: 5, within: 5, of: 10) - 1.0 / 252).magnitude < 1e-12)
    #expect(Presence([(0, 5)], runs: (5, 5)).isChosen == [true])
    #expect(Presence([(5, 0)], runs: (5, 5)).isChosen == [true])
    #expect(Presence([(0, 3)], runs: (5, 5)).isChosen == [false])
    #expect(Presence([(0, 3)], runs: (3, 3)).isChosen == [false])
    #expect(Presence([(1, 5)], runs: (5, 5)).isChosen == [false])
    #expect(Presence([(0, 0)], runs: (5, 5)).isChosen == [false])
    // Those that can't be told from chance anyway don't count against it.
    let rare = Array(repeating: (a: 0, b: 1), count: 50)
    #expect(Presence([(0, 5)] + rare, runs: (5, 5)).isChosen.first == true)
    // Those that can do: 0.0079 is more than 0.03 / 4.
    let often = Array(repeating: (a: 2, b: 3), count: 3)
    #expect(Presence([(0, 5)] + often, runs: (5, 5)).isChosen.first == false)
  }

  @Test func overrunsAreApartByWhatLiesBetweenThem() {
    let (a, b) = (Overruns([-4, -2, 0, 2]), Overruns([-4, -2, 1, 5]))
    #expect(a.percentile(50) == -2 && b.percentile(90) == 5 && Overruns([]).percentile(50) == nil)
    // (0 + 0 + 1 + 3) / 4; half of a and b is at most -2, at 0 it is 3/4 and 1/2.
    #expect(a.distance(to: b) == Overruns.Distance(mean: 1, widest: 0.25, place: 0))
    #expect(b.distance(to: a) == a.distance(to: b))
    #expect(a.distance(to: Overruns([])) == nil)
    #expect(a.share(from: -2, to: 2) == 0.5 && a.share(from: nil, to: nil) == 1)
    let wide = Overruns([.min, .max])
    #expect(wide.distance(to: a).map { $0.mean.isFinite } == true)
  }

  @Test func namesWithOtherNumbersAreTheSameCause() {
    let signature = CauseSignature(kind: .span, thread: "worker 12", path: ["load 7", "a1b22c"])
    #expect(
      signature == CauseSignature(kind: .span, thread: "worker 3", path: ["load 99", "a3b4c"]))
    #expect(signature.text == "worker #: load # > a#b#c")
    #expect(signature.around?.path == ["load #"])
    #expect(signature != CauseSignature(kind: .blocked, thread: "worker 3", path: signature.path))
    #expect(CauseSignature(kind: .other, thread: nil, path: []).text == "(other)")
    let deep = CauseSignature(
      kind: .span, thread: nil, path: (0..<1000).map { _ in "x" })
    #expect(deep.path.count == CauseSignature.mostNames)
  }

  @Test func theTreeOfBlameIsReadAsTheCausesAre() throws {
    let trace = try ComparedLoop(lateShare: 0.3).trace(seed: 4)
    let series = try #require(trace.frames(named: "frame", refresh: .ms(20)))
    let blame = Blame(of: trace, series: series)
    let places = CauseSignature.blame(of: blame.tree)
    #expect(places.values.reduce(0, +) == blame.frames.hitchTime)
    for cause in blame.causes where cause.kind == .span && cause.blame > 0 {
      #expect(places[CauseSignature(cause)] == cause.blame, "\(cause.path)")
    }
  }

  @Test func selfTimeIsCountedWithinTheTimesAlone() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 0, to: 100) {
      $0.span("b 1", from: 10, to: 40)
      $0.span("b 2", from: 50, to: 60)
    }
    let trace = try builder.build()
    #expect(SpanTimes(of: trace, within: [0..<100]).byName == ["a": 60, "b #": 40])
    #expect(SpanTimes(of: trace, within: [20..<30, 55..<80]).byName == ["a": 20, "b #": 15])
    #expect(SpanTimes(of: trace, within: []).byName.isEmpty)
  }
}
