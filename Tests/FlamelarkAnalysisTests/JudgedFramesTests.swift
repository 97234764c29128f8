import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct JudgedFramesTests {
  func judge(
    _ mode: Trace.FrameSeries.Mode, _ frames: [Trace.Frame], refresh: Int64? = nil,
    override: Int64? = nil
  ) throws -> JudgedFrames {
    var builder = TraceBuilder()
    builder.track("main")
    builder.frames("test", mode: mode, refresh: refresh, frames)
    let trace = try builder.build()
    return JudgedFrames(of: trace.frameSeries[0], in: trace, refresh: override)
  }

  func marks(_ milliseconds: [Double], refresh: Double?) throws -> JudgedFrames {
    var builder = TraceBuilder()
    builder.track("main")
    builder.marks("test", at: milliseconds.map(Int64.ms), refresh: refresh.map(Int64.ms))
    let trace = try builder.build()
    return JudgedFrames(of: trace.frameSeries[0], in: trace)
  }

  @Test func aFrameIsLateByItsEndAgainstItsTarget() throws {
    let judged = try marks([0, 10, 25, 35], refresh: 10)
    #expect(judged.frames.map(\.lateness) == [0, .ms(5), 0, 0])
    #expect(judged.frames.map(\.isCountable) == [true, true, true, false])
    #expect(judged.frames[1].window == .ms(10)..<Int64.ms(25))
    #expect(judged.activeTime == .ms(35))
    #expect(judged.hitchTime == .ms(5))
    #expect(abs(judged.hitchRatio - 5000.0 / 35) < 1e-9)
  }

  @Test func theTargetIsTheMarkBeforePlusTheRefreshNeverAGrid() throws {
    // On a grid of 10 ms the frames after the stall would be late too.
    let judged = try marks([0, 10, 34, 44, 54], refresh: 10)
    #expect(judged.hitchTime == .ms(14))
  }

  @Test func latenessWithinTheToleranceIsNoneAndAboveItCountsWhole() throws {
    let judged = try marks([0, 10.25, 20.25, 30.251, 40.6], refresh: 10)
    #expect(judged.frames.map(\.lateness) == [0, 0, 0, .ms(0.349), 0])
    #expect(
      try marks([0, 103, 206.001], refresh: 100).frames.map(\.lateness) == [0, .ms(3.001), 0])
  }

  @Test func aRateSwitchIsNoHitch() throws {
    let judged = try judge(
      .displayLink,
      [
        .displayLink(at: 0, target: .ms(8.33)),
        .displayLink(at: .ms(8.33), target: .ms(25)),
        .displayLink(at: .ms(25), target: .ms(41.67)),
      ])
    #expect(judged.hitchTime == 0)
    #expect(judged.rates == [.ms(8.33), .ms(16.67)])
    #expect(judged.rateChanges == 1)
  }

  @Test func nothingIsLateAcrossABreak() throws {
    var frames = [0, 10, 500, 510, 530].map { Trace.Frame(number: 0, timestamp: .ms($0), track: 0) }
    frames[2].beginsSegment = true
    let judged = try judge(.marks, frames, refresh: .ms(10))
    #expect(judged.frames.map(\.lateness) == [0, 0, 0, .ms(10), 0])
    #expect(judged.frames.map(\.isCountable) == [true, false, true, true, false])
    #expect(judged.activeTime == .ms(40))
  }

  @Test func aClockThatWentBackIsABreak() throws {
    var frames = [0, 10, 20, 30].map { Trace.Frame(number: 0, timestamp: .ms($0), track: 0) }
    frames[2].begin = .ms(5)
    let judged = try judge(.marks, frames, refresh: .ms(4))
    #expect(judged.frames.map(\.isCountable) == [true, false, true, false])
  }

  @Test func restThatWasToldIsNeitherActiveNorLate() throws {
    var frames = [0, 10, 200, 210].map { Trace.Frame(number: 0, timestamp: .ms($0), track: 0) }
    frames[1].isRequested = false
    let judged = try judge(.marks, frames, refresh: .ms(10))
    #expect(judged.frames[1].isIdle)
    #expect(judged.hitchTime == 0)
    #expect(judged.activeTime == .ms(20))
    #expect(judged.idleTime == .ms(190))
  }

  @Test func aGapBetweenMarksIsAHitchNotRest() throws {
    let judged = try marks([0, 10, 500, 510], refresh: 10)
    #expect(judged.hitchTime == .ms(480))
    #expect(judged.idleTime == 0)
  }

  @Test func waitingForADisplayLinkMuchLongerThanAFrameIsRest() throws {
    func frames(requested: Bool?) -> [Trace.Frame] {
      var frames: [Trace.Frame] = [
        .displayLink(at: 0, target: .ms(10), end: .ms(4)),
        .displayLink(at: .ms(10), target: .ms(20), end: .ms(14)),
        .displayLink(at: .ms(400), target: .ms(410), end: .ms(404)),
        .displayLink(at: .ms(410), target: .ms(420), end: .ms(414)),
      ]
      frames[1].isRequested = requested
      return frames
    }
    #expect(
      try judge(.displayLink, frames(requested: nil)).frames.map(\.isIdle)
        == [false, true, false, false])
    // What the program said stands over the guess.
    #expect(try judge(.displayLink, frames(requested: true)).hitchTime == .ms(380))
    // Without end() nobody knows that it waited.
    var silent = frames(requested: nil)
    silent[1].end = nil
    #expect(try judge(.displayLink, silent).hitchTime == .ms(380))
    // And between marks nobody does.
    #expect(try judge(.marks, frames(requested: nil)).hitchTime == .ms(380))
  }

  @Test func aMissingTargetIsMadeFromTheIntervalBefore() throws {
    let frames: [Trace.Frame] = [
      .displayLink(at: 0, target: .ms(20)),
      .displayLink(at: .ms(20), target: nil),
      .displayLink(at: .ms(45), target: .ms(45)),
      .displayLink(at: .ms(65), target: .ms(5000)),
      .displayLink(at: .ms(85), target: .ms(105)),
    ]
    let judged = try judge(.displayLink, frames)
    #expect(judged.frames.map(\.interval) == Array(repeating: .ms(20), count: 5))
    #expect(judged.frames.map(\.targetIsEstimated) == [false, true, true, true, false])
    #expect(judged.frames.map(\.lateness) == [0, .ms(5), 0, 0, 0])
    #expect(judged.estimatedTargets == 3)
    // What the user knows is better than the interval before.
    #expect(try judge(.displayLink, frames, override: .ms(30)).hitchTime == 0)
  }

  @Test func withoutAnyTargetTheMedianIntervalIsUsual() throws {
    let judged = try marks([0, 10, 20, 30, 55, 65, 75], refresh: nil)
    #expect(judged.frames.allSatisfy { $0.interval == .ms(10) && $0.targetIsEstimated })
    #expect(judged.hitchTime == .ms(15))
  }

  @Test func aRefreshOfAProgramMayBeLongerThanAnyDisplayHas() throws {
    #expect(try marks([0, 2000, 4500], refresh: 2000).hitchTime == .ms(500))
  }

  @Test func theUsersRefreshStandsOverTheSeries() throws {
    let frames = [0, 10, 20].map { Trace.Frame(number: 0, timestamp: .ms($0), track: 0) }
    #expect(try judge(.marks, frames, refresh: .ms(10), override: .ms(8)).hitchTime == .ms(4))
    // No interval is not an interval.
    #expect(try judge(.marks, frames, refresh: .ms(10), override: 0).hitchTime == 0)
  }

  @Test func aFrameThatIsASpanEndsWithItTheLastOneToo() throws {
    var builder = TraceBuilder()
    builder.track("main")
    for (start, end) in [(0, 5), (10, 22), (22, 30), (32, 44)] {
      builder.span("loop", from: .ms(Double(start)), to: .ms(Double(end)))
    }
    let trace = try builder.build()
    let series = try #require(trace.frames(named: "loop", refresh: .ms(10)))
    let judged = JudgedFrames(of: series, in: trace)
    #expect(judged.frames.map(\.lateness) == [0, .ms(2), 0, .ms(2)])
    // From start to start, and the last one's own time.
    #expect(judged.activeTime == .ms(44))
    #expect(judged.estimatedTargets == 0)
  }

  @Test func aFrameSpanThatNeverEndedHasNoLateness() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("loop", lasting: .ms(9))
    builder.span("loop", lasting: .ms(90))
    builder.leaveOpen(span: 1)
    let trace = try builder.build()
    let series = try #require(trace.frames(named: "loop", refresh: .ms(10)))
    #expect(JudgedFrames(of: series, in: trace).frames.map(\.isCountable) == [true, false])
  }

  @Test func noFramesAndOneFrameHaveNoTime() throws {
    #expect(try marks([], refresh: 10).hitchRatio == 0)
    let one = try marks([5], refresh: 10)
    #expect(one.activeTime == 0)
    #expect(one.frames.map(\.isCountable) == [false])
  }

  @Test func framesAtOneMomentTakeNoTime() throws {
    let judged = try marks([0, 10, 10, 10, 30], refresh: 10)
    #expect(judged.frames.map(\.lateness) == [0, 0, 0, .ms(10), 0])
    #expect(judged.activeTime == .ms(30))
  }

  @Test func timesFromTheEdgeOfTheNumbersDoNotTrap() throws {
    let times: [Int64] = [.min + 1, -(.max / 2), -5, 0, .ms(1), .ms(9), .max / 2, .max - 5, .max]
    let frames = times.map { Trace.Frame(number: 0, timestamp: $0, track: 0) }
    for mode in [Trace.FrameSeries.Mode.marks, .displayLink, .spans] {
      for refresh in [.max, Int64.ms(2)] {
        var builder = TraceBuilder()
        builder.track("main")
        builder.span("work", from: -9, to: .ms(20))
        builder.frames("test", mode: mode, refresh: refresh, frames)
        let blame = try #require(Blame(of: try builder.build(), series: "test"))
        #expect(blame.frames.hitchTime <= blame.frames.activeTime)
        #expect(blame.frames.frames[4].lateness == (refresh == .max ? 0 : .ms(6)))
        #expect(blame.causes.total == blame.frames.hitchTime)
      }
    }
  }

  @Test func aPartOfTheFramesKeepsItsNumbers() throws {
    let part = try marks([0, 10, 25, 35, 55], refresh: 10).within([.ms(20)..<Int64.ms(50)])
    #expect(part.frames.map(\.number) == [2, 3])
    #expect(part.hitchTime == .ms(10))
    #expect(part.activeTime == .ms(30))
  }
}
