import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What the rules of others say at the edges of their definitions.
@Suite struct FrameRuleTests {
  /// A display link whose frames have these times, each given one interval; the last one ends them.
  private func link(
    _ times: [Double], interval: Double = 20, work: Double = 5,
    _ change: (inout Trace.FrameSeries) -> Void = { _ in }
  ) -> JudgedFrames {
    var series = Trace.FrameSeries(name: "link", mode: .displayLink)
    var now: Int64 = 0
    for (number, time) in (times + [0]).enumerated() {
      var frame = Trace.Frame(number: number, timestamp: now, track: 0)
      frame.target = now + .ms(interval)
      frame.interval = .ms(interval)
      frame.end = now + .ms(work)
      // Or a long time would be taken for a rest.
      frame.isRequested = true
      series.frames.append(frame)
      now += .ms(time)
    }
    change(&series)
    return JudgedFrames(of: series, in: Trace())
  }

  private func bad(_ rule: FrameRule, _ frames: JudgedFrames) -> [Int] {
    rule.apply(to: frames).badFrames
  }

  private func value(_ name: String, _ outcome: FrameRule.Outcome) -> Double? {
    outcome.figures.first { $0.name == name }?.value
  }

  @Test(arguments: FrameRule.allCases) func noFramesAndOneFrameAreDefined(rule: FrameRule) {
    let empty = Trace.FrameSeries(name: "none", mode: .displayLink)
    let none = rule.apply(to: JudgedFrames(of: empty, in: Trace()))
    #expect(none.judged == 0)
    #expect(none.badFrames.isEmpty)
    let sums = ["frames_delay", "TotalTimeInHitchFrames"]
    #expect(none.figures.allSatisfy { $0.value == (sums.contains($0.name) ? 0 : nil) })
    let one = rule.apply(to: link([]))
    #expect(one.judged == (one.time == .work ? 1 : 0))
    #expect(one.badFrames.isEmpty)
    #expect(one.rule == rule)
  }

  @Test func jankIsAboveTheMultiplierAndNotAtIt() {
    let frames = link([20, 20], work: 40)
    #expect(bad(.jankStats, frames) == [])
    #expect(JankStatsRule(multiplier: 1.999).apply(to: frames).badFrames == [0, 1, 2])
    #expect(JankStatsRule(multiplier: .infinity).apply(to: frames).badFrames == [])
    #expect(JankStatsRule(multiplier: .nan).apply(to: frames).badFrames == [])
    #expect(JankStatsRule(multiplier: 0).apply(to: frames).badFrames == [0, 1, 2])
    // 1.5 × 20,000,001 ns are 30,000,001 whole ones.
    for (work, isJank) in [(30_000_001, false), (30_000_002, true)] as [(Int64, Bool)] {
      let odd = link([20]) {
        $0.frames[0].target = 20_000_001
        $0.frames[0].end = work
      }
      #expect(JankStatsRule(multiplier: 1.5).apply(to: odd).badFrames == (isJank ? [0] : []))
    }
  }

  @Test func aFrameThatIsToldTwiceCountsOnceForJankStats() {
    let frames = link([20, 0, 20], work: 50)
    #expect(FrameRule.jankStats.apply(to: frames).judged == 3)
    #expect(bad(.jankStats, frames) == [0, 1, 3])
    #expect(bad(.frameOverrun, frames) == [0, 1, 2, 3])
  }

  @Test func workIsKnownOfFramesBeforeAPauseAndNotOfThoseThatNobodyAskedFor() {
    let frames = link([20, 300, 20, 20], work: 50) {
      $0.rests = [Trace.Rest(kind: .paused, frame: 1, range: .ms(80)..<(.ms(320)))]
      $0.frames[2].beginsSegment = true
      $0.frames[3].isRequested = false
    }
    #expect(bad(.jankStats, frames) == [0, 1, 2, 4])
    #expect(bad(.frameOverrun, frames) == [0, 1, 2, 4])
  }

  @Test func aLoopOfMarksWorksUntilItsNextMark() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.marks("loop", at: [0, .ms(20), .ms(61), .ms(80)], refresh: .ms(20))
    let trace = try builder.build()
    let frames = JudgedFrames(of: trace.frameSeries[0], in: trace)
    #expect(bad(.jankStats, frames) == [1])
    #expect(bad(.frameOverrun, frames) == [1])
    #expect(FrameRule.frameOverrun.apply(to: frames).judged == 3)
    #expect(bad(.sentry, frames) == [1])
  }

  @Test func percentilesGoStraightFromValueToValue() throws {
    #expect(FrameOverrunRule.percentile(50, of: []) == nil)
    #expect(FrameOverrunRule.percentile(99, of: [7]) == 7)
    #expect(FrameOverrunRule.percentile(50, of: [1, 2]) == 1.5)
    #expect(FrameOverrunRule.percentile(90, of: [0, 10]) == 9)
    #expect(FrameOverrunRule.percentile(99, of: Array(0...100)) == 99)
    #expect(FrameOverrunRule.percentile(95, of: [-10, -10, 10]) == 8)
  }

  @Test func slowIsAboveTheThresholdOfTheRoundedRate() {
    // 1 / 59 s is 16,949,152.54 ns.
    #expect(SentryRule.slowThreshold(interval: 16_666_667) == 16_949_152)
    #expect(SentryRule.slowThreshold(interval: 16_700_000) == 16_949_152)
    #expect(SentryRule.slowThreshold(interval: 8_333_333) == 1_000_000_000 / 119)
    #expect(SentryRule.slowThreshold(interval: 1_000_000_000) == .max)
    #expect(SentryRule.slowThreshold(interval: 5_000_000_000) == .max)
    #expect(SentryRule.slowThreshold(interval: 0) == 16_949_152)
    let interval = 1000.0 / 60
    #expect(bad(.sentry, link([16.949152, 16.949153, 5], interval: interval)) == [1])
  }

  @Test func aFrozenFrameIsNotSlowAsWell() {
    let outcome = FrameRule.sentry.apply(to: link([20, 700, 700.000001, 20]))
    #expect(outcome.classes.map(\.frames) == [[1], [2]])
    let delay = (700 + 700.000001 - 2 * 20.408163) / 1000
    #expect(abs((value("frames_delay", outcome) ?? 0) - delay) < 1e-9)
  }

  @Test func aTimeIsJudgedByTheRateThatTheLinkHasAtItsEnd() {
    // From 50 Hz to 100 Hz and back: the last frame of 50 Hz ends where the link runs at 100 Hz.
    let frames = link([20, 20, 10, 10, 20]) {
      for number in 2...3 { $0.frames[number].target = $0.frames[number].timestamp + .ms(10) }
    }
    #expect(frames.hitchTime == 0)
    #expect(bad(.sentry, frames) == [1])
  }

  @Test func aPauseMakesTheNextCallbackAFirstOne() {
    let frames = link([20, 900, 20, 20]) {
      $0.rests = [Trace.Rest(kind: .paused, frame: 1, range: .ms(30)..<(.ms(920)))]
      $0.frames[2].beginsSegment = true
    }
    let outcome = FrameRule.sentry.apply(to: frames)
    #expect(outcome.judged == 3)
    #expect(outcome.badFrames.isEmpty)
    #expect(FrameRule.unreal.apply(to: frames).judged == 3)
  }

  @Test func jankNeedsThreeFramesBeforeIt() {
    #expect(bad(.perfDog, link([100, 20, 100, 100])) == [])
    #expect(bad(.perfDog, link([20, 20, 20, 100])) == [3])
    // Behind a break they are waited for anew.
    let broken = link([20, 20, 20, 100, 20, 100]) { $0.frames[2].beginsSegment = true }
    #expect(bad(.perfDog, broken) == [5])
    #expect(FrameRule.perfDog.apply(to: broken).judged == 5)
  }

  @Test func jankIsAboveTwiceTheMeanAndAboveTwoFramesOfAFilm() {
    #expect(bad(.perfDog, link([20, 20, 20, 84])) == [])
    #expect(bad(.perfDog, link([20, 20, 20, 84.000001])) == [3])
    #expect(bad(.perfDog, link([50, 50, 50, 100])) == [])
    #expect(bad(.perfDog, link([50, 50, 50, 100.000001])) == [3])
    let big = FrameRule.perfDog.apply(to: link([20, 20, 20, 125, 20, 20, 20, 125.000001]))
    #expect(big.classes.map(\.frames) == [[3, 7], [7]])
    #expect(big.badFrames == [3, 7])
  }

  @Test func aHitchIsLongAndLongerThanTheFrameBeforeIt() {
    #expect(bad(.unreal, link([20, 59.999999, 20])) == [])
    #expect(bad(.unreal, link([20, 60, 20])) == [1])
    #expect(bad(.unreal, link([40, 60, 20])) == [])
    #expect(bad(.unreal, link([40, 60.000001, 20])) == [1])
    // As when charting begins, there is no frame before the first.
    #expect(bad(.unreal, link([60, 20])) == [0])
  }

  @Test func aHitchSoonAfterAnotherIsNone() {
    #expect(bad(.unreal, link([20, 100, 20, 179.999999])) == [1])
    #expect(bad(.unreal, link([20, 100, 20, 180])) == [1, 3])
    // The time goes from the last hitch, not from the last long frame.
    #expect(bad(.unreal, link([20, 100, 20, 80, 20, 80])) == [1, 5])
  }

  @Test func aFrameOfASecondIsAHitchButNoChartedTime() {
    let outcome = FrameRule.unreal.apply(to: link([20, 1000, 20, 999, 20]))
    #expect(outcome.badFrames == [1, 3])
    #expect(value("HitchesPerMinute", outcome) == 2 * 60 / 1.059)
    #expect(value("average hitch", outcome) == 999.5)
    let long = FrameRule.unreal.apply(to: link([1000]))
    #expect(value("HitchesPerMinute", long) == nil)
    #expect(value("PercentSpentHitching", long) == nil)
    #expect(value("TotalTimeInHitchFrames", long) == 1000)
  }

  @Test func stutteringIsAboveTwoAndAHalfAverages() {
    // 5 frames of 100 ms in all: 50 is 2.5 times their average.
    let at = FrameRule.capFrameX.apply(to: link([10, 10, 20, 10, 50]))
    #expect(at.badFrames == [])
    let above = FrameRule.capFrameX.apply(to: link([10, 10, 20, 10, 50.001]))
    #expect(above.badFrames == [4])
    #expect(abs((value("stuttering time", above) ?? 0) - 50.001 / 1.00001) < 1e-9)
    #expect(value("stuttering frames", above) == 20)
  }

  @Test func aFrameOfWhichNobodyToldHidesTheTimeAroundIt() {
    func shown(_ change: (inout Trace.FrameSeries) -> Void) -> FrameRule.Outcome {
      var series = Trace.FrameSeries(name: "screen", mode: .presented)
      for number in 0..<8 {
        var frame = Trace.Frame(number: number, timestamp: .ms(Double(number) * 20), track: 0)
        frame.target = frame.timestamp + .ms(20)
        frame.end = frame.timestamp + .ms(5)
        frame.presented = frame.target
        series.frames.append(frame)
      }
      for number in 6...7 { series.frames[number].presented = .ms(Double(number) * 20 + 120) }
      change(&series)
      return FrameRule.perfDog.apply(to: JudgedFrames(of: series, in: Trace()))
    }
    // From 120 to 240 ms.
    #expect(shown { _ in }.badFrames == [6])
    #expect(shown { _ in }.judged == 7)
    let dropped = shown {
      $0.frames[5].presented = nil
      $0.frames[5].isDiscarded = true
    }
    #expect(dropped.judged == 6)
    #expect(dropped.badFrames == [6])
    let untold = shown { $0.frames[5].presented = nil }
    #expect(untold.judged == 5)
    #expect(untold.badFrames == [])
    let broken = shown { $0.frames[6].beginsSegment = true }
    #expect(broken.judged == 6)
    #expect(broken.badFrames == [])
  }

  /// A pipeline: each frame has two intervals until it is shown, and one begins every 20 ms.
  @Test func theRateOfAPipelineIsThatOfItsSteps() {
    var series = Trace.FrameSeries(name: "screen", mode: .presented)
    for (number, time) in [0, 20, 40, 80, 100].enumerated() {
      var frame = Trace.Frame(number: number, timestamp: .ms(Double(time)), track: 0)
      frame.target = frame.timestamp + .ms(40)
      frame.interval = .ms(20)
      frame.end = frame.timestamp + .ms(39)
      frame.presented = frame.target
      series.frames.append(frame)
    }
    let frames = JudgedFrames(of: series, in: Trace())
    #expect(bad(.sentry, frames) == [2])
    #expect(FrameRule.sentry.apply(to: frames).judged == 4)
    // What a frame may take is the time until its target.
    #expect(bad(.frameOverrun, frames) == [])
  }

  @Test func framesThatAreSpansHaveTheirOwnEnd() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var starts: [Int64] = []
    for length in [5, 5, 5, 95, 5, 95] as [Double] {
      starts.append(builder.now)
      builder.span("frame", lasting: .ms(length))
      builder.advance(to: max(builder.now, starts[starts.count - 1] + .ms(20)))
    }
    builder.frames(
      "frames", mode: .spans, refresh: .ms(20),
      starts.enumerated().map { index, start in
        var frame = Trace.Frame(number: index, timestamp: start, track: 0)
        frame.span = index
        return frame
      })
    let trace = try builder.build()
    let frames = JudgedFrames(of: trace.frameSeries[0], in: trace)
    #expect(bad(.jankStats, frames) == [3, 5])
    let perfDog = FrameRule.perfDog.apply(to: frames)
    #expect(perfDog.judged == 6)
    // The mean of 20, 95 and 20 is 45.
    #expect(perfDog.badFrames == [3, 5])
    #expect(bad(.sentry, frames) == [3, 5])
  }

  @Test func aSelectionIsJudgedByItsOwnFrames() {
    let frames = link([20, 20, 20, 100, 20, 20, 20, 100, 20])
    #expect(bad(.perfDog, frames) == [3, 7])
    let part = frames.within([.ms(40)..<(.ms(300))])
    #expect(part.frames.map(\.number) == [2, 3, 4, 5, 6, 7])
    #expect(bad(.perfDog, part) == [7])
    #expect(bad(.unreal, part) == [3])
    let two = frames.within([0..<Int64.ms(60), .ms(200)..<(.ms(400))])
    #expect(FrameRule.perfDog.apply(to: two).judged == 6)
    #expect(bad(.perfDog, two) == [])
  }
}
