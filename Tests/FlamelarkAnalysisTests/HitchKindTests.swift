import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Whose lateness a hitch is.
@Suite struct HitchKindTests {
  /// The only hitch of a pipeline.
  private func hitch(_ pipeline: PipelineTrace) throws -> Hitch {
    let hitches = try pipeline.blame().hitches
    try #require(hitches.count == 1)
    return hitches[0]
  }

  @Test func aSlowLoopIsTheApps() throws {
    var pipeline = PipelineTrace(frames: 60)
    pipeline.app[30] = 40
    let hitch = try hitch(pipeline)
    #expect(hitch.kind == .appLate)
    #expect(hitch.root == 30)
    #expect(hitch.explained == 1)
  }

  @Test func aSlowStageIsTheRenderers() throws {
    var pipeline = PipelineTrace(frames: 60)
    pipeline.render[30] = 40
    let hitch = try hitch(pipeline)
    #expect(hitch.kind == .renderLate)
    #expect(hitch.root == 30)
  }

  @Test func aFrameThatWasReadyInTimeAndShownLateIsTheDisplays() throws {
    var pipeline = PipelineTrace(frames: 60)
    pipeline.display[30] = 8
    let hitch = try hitch(pipeline)
    #expect(hitch.kind == .renderLate)
    #expect(hitch.causes.summary == ["(other) 8000000"])
    #expect(hitch.explained == 0)
  }

  @Test func whatAnEarlierFrameMadeLateIsInheritedFromIt() throws {
    // Frame 30 keeps render until 330 and is in time itself; 31 takes 1 ms more than its slack.
    var pipeline = PipelineTrace(frames: 60)
    (pipeline.render[30], pipeline.render[31]) = (25, 11)
    let hitch = try hitch(pipeline)
    #expect(hitch.frame.number == 31)
    #expect(hitch.kind == .inherited)
    #expect(hitch.root == 30)
  }

  @Test func aPipelineInWhichNobodyTookTooLongIsFull() throws {
    // Every frame needs 10 ms in render, as often as frames come. So what frame 30 begins late by, none
    // makes up for.
    var pipeline = PipelineTrace(frames: 60, app: 19, render: 5)
    pipeline.display[50] = 0
    let blame = try pipeline.blame()
    #expect(!blame.hitches.isEmpty)
    #expect(blame.hitches.allSatisfy { $0.kind == .pipelineFull || $0.kind == .inherited })
  }

  @Test func aThreadWithoutAProcessorIsTheSystems() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    for pass in 0..<60 {
      builder.span("update", lasting: .ms(pass == 30 ? 22 : 8))
      marks.append(builder.now)
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    var trace = try builder.build()
    trace.threadStates = [
      .init(track: 0, kind: .preempted, range: .ms(242)..<(.ms(256)))
    ]
    let hitch = try #require(Blame(of: trace, series: trace.frameSeries[0]).hitches.first)
    #expect(hitch.kind == .paused)
    #expect(hitch.causes.map(\.kind) == [.preempted])
    #expect(hitch.causes[0].path.isEmpty)
  }

  @Test func aHitchThatNothingNamesIsUnknown() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    for pass in 0..<60 {
      builder.span("update", lasting: .ms(8))
      if pass == 30 { builder.pass(.ms(14)) }
      marks.append(builder.now)
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    let trace = try builder.build()
    let hitch = try #require(Blame(of: trace, series: trace.frameSeries[0]).hitches.first)
    #expect(hitch.kind == .unknown)
    #expect(hitch.explained == 0)
  }
}
