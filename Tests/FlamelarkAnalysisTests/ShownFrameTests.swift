import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Frames of which it is known when they were shown.
@Suite struct ShownFrameTests {
  private let interval = Int64.ms(16)

  /// Frames on a grid of 16 ms; `late` is how many intervals late each was shown, nil: dropped.
  private func series(_ late: [Int64?]) -> Trace.FrameSeries {
    var series = Trace.FrameSeries(name: "screen", mode: .presented)
    for (number, late) in late.enumerated() {
      var frame = Trace.Frame.displayLink(
        at: Int64(number) * interval, target: Int64(number + 1) * interval,
        end: Int64(number) * interval + .ms(5))
      frame.number = number
      frame.presented = late.map { Int64(number + 1 + Int($0)) * interval }
      frame.isDiscarded = late == nil
      series.frames.append(frame)
    }
    return series
  }

  private func judge(_ series: Trace.FrameSeries) -> JudgedFrames {
    JudgedFrames(of: series, in: Trace())
  }

  @Test func aDroppedFrameIsTheLatenessOfTheNextOne() {
    let judged = judge(series([0, 0, 0, nil, 0, 0]))
    #expect(judged.frames.map(\.lateness) == [0, 0, 0, 0, interval, 0])
    #expect(judged.dropped == [3])
    #expect(judged.frames[4].window == 3 * interval..<4 * interval + .ms(5))
    #expect(judged.frames[4].target == 4 * interval)
    #expect(judged.frames.map(\.isCountable) == [false, true, true, false, true, true])
    #expect(judged.activeTime == 5 * interval)
  }

  @Test func aFrameThatNobodyAskedForIsNotDropped() {
    var series = series([0, 0, nil, 0])
    series.frames[2].isRequested = false
    let judged = judge(series)
    #expect(judged.dropped == [])
    #expect(judged.hitchTime == 0)
    #expect(judged.frames[2].isIdle)
  }

  @Test func restForgetsWhatWasDroppedBefore() {
    var series = series([0, 0, nil, 0, 0])
    // The program says when it needs frames, so that nothing is guessed.
    for index in 0..<5 { series.frames[index].isRequested = true }
    for index in 3..<5 {
      series.frames[index].timestamp += .ms(5000)
      series.frames[index].begin += .ms(5000)
      series.frames[index].target? += .ms(5000)
      series.frames[index].presented? += .ms(5000)
    }
    #expect(judge(series).hitchTime == .ms(5000) + interval)
    series.rests = [
      .init(kind: .noFrameNeeded, frame: 2, range: .ms(40)..<(.ms(5040)))
    ]
    let judged = judge(series)
    #expect(judged.hitchTime == 0)
    #expect(judged.idleTime == .ms(5000) + interval)
    #expect(judged.activeTime == 3 * interval)
  }

  @Test func theLastFramesMayStillBeOnTheirWay() {
    var series = series([0, 0, 2, 2, 2, 2])
    for index in 3..<6 { series.frames[index].presented = nil }
    let judged = judge(series)
    #expect(judged.hitchTime == 2 * interval)
    #expect(judged.untold == 3)
  }

  @Test func aSegmentBeginsWithoutLateness() {
    var series = series([0, 0, 3, 3, 5])
    series.frames[2].beginsSegment = true
    let judged = judge(series)
    #expect(judged.frames.map(\.lateness) == [0, 0, 0, 0, 2 * interval])
    #expect(judged.frames[2].isCountable == false)
  }

  /// The time of a dropped frame is in the window of the one that takes its place.
  @Test func whatMadeAFrameDropIsBlamed() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    for number in 0..<60 {
      let timestamp = Int64(number) * interval
      // Frame 30 takes 20 ms, so that 31 begins late, and is dropped for it.
      let begin = max(timestamp, builder.now)
      builder.advance(to: begin)
      builder.span("layout", lasting: .ms(3))
      if number == 30 { builder.span("decode", lasting: .ms(17)) }
      var frame = Trace.Frame.displayLink(
        at: timestamp, target: timestamp + interval, begin: begin, end: builder.now)
      if number == 30 {
        frame.isDiscarded = true
      } else {
        frame.presented = timestamp + interval
      }
      frames.append(frame)
    }
    builder.frames("screen", mode: .presented, frames)
    let trace = try builder.build()
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    let hitch = try #require(blame.hitches.first)
    #expect(blame.hitches.count == 1)
    #expect(hitch.frame.number == 31)
    #expect(hitch.lateness == interval)
    #expect(hitch.causes.first?.path == ["decode"])
    #expect(hitch.causes.total == interval)
    #expect(hitch.window == 30 * interval..<30 * interval + .ms(23))
  }
}

/// Frames behind which no other was wanted.
@Suite struct RestTests {
  private func judge(_ series: Trace.FrameSeries) -> JudgedFrames {
    JudgedFrames(of: series, in: Trace())
  }

  private func link(end: Int64?, next: Int64) -> Trace.FrameSeries {
    var series = Trace.FrameSeries(name: "screen", mode: .displayLink)
    series.frames = [
      .displayLink(at: 0, target: .ms(10), end: end),
      .displayLink(at: next, target: next + .ms(10), end: next + .ms(2)),
    ]
    series.frames[1].number = 1
    return series
  }

  @Test func aFrameBeforeRestIsLateByItsOwnEnd() {
    var series = link(end: .ms(25), next: .ms(900))
    series.rests = [.init(kind: .noFrameNeeded, frame: 0, range: .ms(30)..<(.ms(890)))]
    let judged = judge(series)
    #expect(judged.frames[0].lateness == .ms(15))
    #expect(judged.frames[0].window == 0..<(.ms(25)))
    #expect(judged.activeTime == .ms(25))
    #expect(judged.idleTime == .ms(875))
  }

  @Test func aFrameInTimeBeforeRestHasItsWholeInterval() {
    var series = link(end: .ms(4), next: .ms(900))
    series.rests = [.init(kind: .noFrameNeeded, frame: 0, range: .ms(2)..<(.ms(890)))]
    let judged = judge(series)
    #expect(judged.hitchTime == 0)
    #expect(judged.activeTime == .ms(10))
    #expect(judged.idleTime == .ms(890))
  }

  @Test func restThatIsTakenBackWithinItsFrameIsNone() {
    var series = link(end: .ms(25), next: .ms(40))
    series.rests = [.init(kind: .noFrameNeeded, frame: 0, range: .ms(2)..<(.ms(3)))]
    #expect(judge(series).frames[0].lateness == .ms(30))
  }

  @Test func restAtTheEndOfTheRecordingLeavesTheLastFrameItsLateness() {
    var series = link(end: .ms(4), next: .ms(10))
    series.frames[1].end = .ms(33)
    series.rests = [.init(kind: .noFrameNeeded, frame: 1, range: .ms(12)..<(.ms(50)))]
    series.rests[0].isUnfinished = true
    let judged = judge(series)
    #expect(judged.frames.map(\.lateness) == [0, .ms(13)])
    #expect(judged.frames.map(\.isCountable) == [true, true])
  }

  @Test func aPauseEndsTheFrameOfALoopOfMarks() {
    var series = Trace.FrameSeries(name: "game", mode: .marks, refresh: .ms(10))
    for (number, time) in [Int64.ms(0), .ms(10), .ms(500)].enumerated() {
      series.frames.append(Trace.Frame(number: number, timestamp: time, track: 0))
    }
    series.frames[2].beginsSegment = true
    series.rests = [.init(kind: .paused, frame: 1, range: .ms(14)..<(.ms(495)))]
    let early = judge(series)
    #expect(early.hitchTime == 0)
    #expect(early.activeTime == .ms(14))
    series.rests = [.init(kind: .paused, frame: 1, range: .ms(34)..<(.ms(495)))]
    let late = judge(series)
    #expect(late.frames.map(\.lateness) == [0, .ms(14), 0])
    #expect(late.frames[1].window == .ms(10)..<(.ms(34)))
    #expect(late.activeTime == .ms(34))
    #expect(late.idleTime == .ms(466))
  }
}
