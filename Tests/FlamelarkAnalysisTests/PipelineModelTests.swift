import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Which phase of which frame bears lateness.
@Suite struct PipelineModelTests {
  /// The shares of a frame's lateness by frame and position, in milliseconds, where 5 ms are normal; and
  /// what no phase bears.
  private func shares(
    _ pipeline: PipelineTrace, frame: Int
  ) throws -> (phases: [String: Double], rest: Double, lateness: Double) {
    let trace = try pipeline.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let walk = CriticalWalk(of: judged, in: trace)
    let phases = FramePhases(
      of: judged, stages: walk.links.stages, roles: walk.roles, in: trace)
    var model = PipelineModel(display: DisplayDelay(of: judged))
    model.load(frame, of: judged, phases) { _, phase in
      max(0, Double(phases[phase].range.duration - .ms(5)))
    }
    let shares = model.shares()
    var byPhase: [String: Double] = [:]
    for (phase, share) in zip(model.phases, shares.phases) where share > 0 {
      byPhase["\(phase.frame) \(phases[phase.number].position == 0 ? "app" : "render")"] =
        share / 1_000_000
    }
    return (byPhase, shares.rest / 1_000_000, Double(judged.frames[frame].lateness) / 1_000_000)
  }

  @Test func phasesEndWhereTheRecursionSays() throws {
    var pipeline = PipelineTrace(frames: 8)
    (pipeline.app[3], pipeline.render[3], pipeline.render[4]) = (18, 9, 12)
    let trace = try pipeline.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let walk = CriticalWalk(of: judged, in: trace)
    let phases = FramePhases(
      of: judged, stages: walk.links.stages, roles: walk.roles, in: trace)
    #expect(phases.positionCount == 2)
    let ranges =
      phases.phases(of: 3).map { phases[$0].range }
      + phases.phases(of: 4).map { phases[$0].range }
    #expect(
      ranges == [
        .ms(30)..<(.ms(48)), .ms(48)..<(.ms(57)), .ms(48)..<(.ms(53)), .ms(57)..<(.ms(69)),
      ])
  }

  @Test func aSlowPhaseBearsItsFramesLateness() throws {
    var pipeline = PipelineTrace(frames: 12)
    pipeline.app[6] = 34
    let found = try shares(pipeline, frame: 6)
    #expect(found.lateness == 9)
    #expect(found.phases == ["6 app": 9])
    #expect(found.rest == 0)
  }

  @Test func twoSlowPhasesShareByTheirExcess() throws {
    // 10 and 20 ms over normal, 10 ms late: of both together 20 ms fit.
    var pipeline = PipelineTrace(frames: 12)
    (pipeline.app[6], pipeline.render[6]) = (15, 25)
    let found = try shares(pipeline, frame: 6)
    #expect(found.lateness == 10)
    #expect(abs((found.phases["6 app"] ?? 0) - 10.0 / 3) < 0.2)
    #expect(abs((found.phases["6 render"] ?? 0) - 20.0 / 3) < 0.2)
    #expect(abs(found.phases.values.reduce(0, +) - 10) < 1e-6)
  }

  @Test func anEarlierFrameThatWasInTimeBears() throws {
    // Frame 6 leaves render busy until 90: in time itself. Frame 7 waits, and is late with 15 ms.
    var pipeline = PipelineTrace(frames: 12)
    (pipeline.render[6], pipeline.render[7]) = (25, 15)
    let found = try shares(pipeline, frame: 7)
    #expect(found.lateness == 5)
    #expect(Set(found.phases.keys) == ["6 render", "7 render"])
    #expect((found.phases["6 render"] ?? 0) > (found.phases["7 render"] ?? 0))
    #expect(abs(found.phases.values.reduce(0, +) - 5) < 1e-6)
  }

  @Test func aStallCountsOnce() throws {
    // It puts off the frames behind it, which are late by no more than it was.
    var pipeline = PipelineTrace(frames: 20)
    pipeline.app[6] = 54
    let blame = try pipeline.blame()
    #expect(blame.frames.hitchTime == .ms(29))
    #expect(blame.hitches.map(\.frame.number) == [6])
    #expect(blame.causes.map(\.path) == [["update"]])
    #expect(blame.causes[0].blame == .ms(29))
  }

  @Test func aDroppedFrameBearsWhatTheNextOneShows() throws {
    // Frame 6 is ready at 114, due at 90, and given up for frame 7, which is ready at 119 and due at 100.
    var pipeline = PipelineTrace(frames: 20)
    pipeline.app[6] = 49
    pipeline.dropped = [6]
    let found = try shares(pipeline, frame: 7)
    #expect(found.lateness == 29)
    // The 5 ms until frame 7 was ready too follow from it.
    #expect(found.phases == ["6 app": 24])
    let blame = try pipeline.blame()
    #expect(blame.causes.map(\.path) == [["update"]])
    #expect(blame.causes.map(\.blame) == [.ms(29)])
  }

  @Test func framesWithoutExcessLeaveTheWholeAsRest() throws {
    var pipeline = PipelineTrace(frames: 12)
    pipeline.display[6] = 7
    let found = try shares(pipeline, frame: 6)
    #expect(found.lateness == 7)
    #expect(found.phases.isEmpty)
    #expect(found.rest == 7)
  }

  @Test(arguments: Array<UInt64>(1...60)) func onlyExcessBearsAndNothingIsMissing(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var pipeline = PipelineTrace(frames: 40)
    for frame in 0..<40 {
      pipeline.app[frame] = .random(in: 1...14, using: &random)
      pipeline.render[frame] = .random(in: 1...14, using: &random)
      if Int.random(in: 0..<6, using: &random) == 0 { pipeline.app[frame] += 25 }
    }
    let trace = try pipeline.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let walk = CriticalWalk(of: judged, in: trace)
    let phases = FramePhases(
      of: judged, stages: walk.links.stages, roles: walk.roles, in: trace)
    var model = PipelineModel(display: DisplayDelay(of: judged))
    var late = 0
    for frame in judged.frames where frame.lateness > 0 {
      late += 1
      model.load(frame.number, of: judged, phases) { _, phase in
        max(0, Double(phases[phase].range.duration) - 5_000_000)
      }
      let (shares, rest) = model.shares()
      let sum = shares.reduce(rest, +)
      // What made the frame before late and so this one less late has no share; the others' are more.
      #expect(sum > Double(frame.lateness) - 1, "frame \(frame.number), seed \(seed)")
      #expect(shares.allSatisfy { $0 >= 0 } && rest >= 0)
      for (phase, share) in zip(model.phases, shares) where share > 0 {
        #expect(phase.excess > 0 && phase.frame <= frame.number, "seed \(seed)")
      }
    }
    #expect(late > 0, "seed \(seed)")
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.causes.total == judged.hitchTime, "seed \(seed)")
  }
}
