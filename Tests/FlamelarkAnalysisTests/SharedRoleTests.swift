import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Rows that stand for each other: what is normal on one is normal on all of them.
@Suite struct SharedRoleTests {
  /// A loop that awaits a task of its own in each frame. It takes 5 ms, and 30 in every tenth.
  private func taskEachFrame() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    var (awaited, marks): ([Range<Int64>], [Int64]) = ([], [0])
    for frame in 0..<60 {
      let start = builder.now
      builder.span("await", lasting: .ms(frame % 10 == 9 ? 30 : 5))
      builder.wait(.await, at: builder.now)
      awaited.append(start..<builder.now)
      builder.pass(max(0, .ms(10) - (builder.now - start)))
      marks.append(builder.now)
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    for (frame, range) in awaited.enumerated() {
      builder.task("job \(frame)", id: UInt64(frame + 1))
      builder.span("load", from: range.lowerBound, to: range.upperBound)
    }
    builder.track("pool")
    var trace = try builder.build()
    let pool = trace.tracks.count - 1
    for (frame, range) in awaited.enumerated() {
      trace.waits[frame].endedByTask = UInt64(frame + 1)
      trace.taskChanges += [
        .init(time: range.lowerBound, track: pool, task: UInt64(frame + 1)),
        .init(time: range.upperBound, track: pool, task: nil),
      ]
    }
    try trace.checkInvariants()
    return trace
  }

  @Test func aTaskIsNormalByTheTasksOfOtherFrames() throws {
    let trace = try taskEachFrame()
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.hitches.count == 6)
    let load = try #require(blame.causes.only)
    #expect(load.path == ["load"] && load.thread == "tasks")
    #expect(load.blame == .ms(120) && load.hitchCount == 6)
    #expect(load.normalTime == .ms(5) && load.lateTime == .ms(30))
  }

  @Test func threadsThatTakeFramesInTurnAreOneStage() throws {
    var pipeline = PipelineTrace(frames: 60)
    pipeline.renderThreads = 2
    for frame in [20, 31, 42] { pipeline.render[frame] = 35 }
    let trace = try pipeline.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let walk = CriticalWalk(of: judged, in: trace)
    let phases = FramePhases(
      of: judged, stages: walk.links.stages, roles: walk.roles, in: trace)
    #expect(phases.positionCount == 2)
    // The next frame has a thread of its own and waits for nobody, the one behind it for the first.
    #expect(
      [20, 21, 22].map { phases[phases.phases(of: $0).upperBound - 1].range } == [
        .ms(205)..<(.ms(240)), .ms(215)..<(.ms(220)), .ms(240)..<(.ms(245)),
      ])
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    let draw = try #require(blame.causes.only)
    #expect(draw.path == ["draw"] && draw.thread == "render")
    #expect(draw.blame == .ms(30) && draw.hitchCount == 3)
    #expect(draw.normalTime == .ms(5) && draw.lateTime == .ms(35))
  }
}

extension Array {
  /// The element, where there is one and no other.
  fileprivate var only: Element? { count == 1 ? first : nil }
}
