import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What a walk makes of links and stages.
@Suite struct FlowWalkTests {
  /// A row that waits from 10 to 50 for a job that a worker began at 30.
  private func worker(askedAt time: Int64, by row: Int) throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("ask", from: 0, to: 10)
    builder.span("await", from: 10, to: 50)
    builder.wait(.await, endedBy: 1, at: 50)
    builder.track("worker")
    builder.span("job", from: 30, to: 50)
    builder.track("reader")
    builder.span("read", from: 5, to: 25)
    builder.flow("job", from: (time, row), to: [(30, 1)])
    builder.firstFrame(until: 50)
    return try builder.build()
  }

  @Test func workThatWasAskedForAndHadNotBegunIsQueued() throws {
    #expect(
      stepLines(try worker(askedAt: 8, by: 0)) == [
        "0-10 main ask", "10-30 worker (queued) job by await", "30-50 worker job by await",
      ])
  }

  @Test func beforeItWasAskedForTheTimeIsTheAskers() throws {
    #expect(
      stepLines(try worker(askedAt: 20, by: 2)) == [
        "0-10 main ask", "10-20 reader read by flow 2", "20-30 worker (queued) job by await",
        "30-50 worker job by await",
      ])
  }

  @Test func ofSeveralAskersTheLastOneCounts() throws {
    var trace = try worker(askedAt: 8, by: 0)
    trace.flows += try worker(askedAt: 20, by: 2).flows
    #expect(stepLines(trace) == stepLines(try worker(askedAt: 20, by: 2)))
  }

  @Test func idleTimeThatNobodyAskedInIsUninstrumented() throws {
    var trace = try worker(askedAt: 8, by: 0)
    trace.flows = []
    #expect(stepLines(trace).dropFirst().first == "10-30 worker (uninstrumented) by await")
  }

  @Test func aStageIsHandedOverByTheLoop() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("update", from: 0, to: 10)
    builder.track("render")
    builder.span("draw", from: 12, to: 20)
    builder.stage(ofFrame: 0)
    var frame = Trace.Frame.displayLink(at: 0, target: 16, end: 10)
    frame.presented = 24
    builder.frames("screen", mode: .presented, [frame])
    #expect(
      stepLines(try builder.build()) == [
        "0-10 main update by stage", "10-12 render (queued) draw", "12-20 render draw",
      ])
  }

  @Test func aStageWaitsForTheStageBeforeIt() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("update", from: 0, to: 5)
    builder.track("render")
    builder.span("draw", from: 5, to: 12)
    builder.stage(ofFrame: 0)
    builder.track("encoder")
    builder.span("encode", from: 15, to: 20)
    builder.stage(ofFrame: 0)
    var frame = Trace.Frame.displayLink(at: 0, target: 16, end: 5)
    frame.presented = 24
    builder.frames("screen", mode: .presented, [frame])
    #expect(
      stepLines(try builder.build()) == [
        "0-5 main update by stage 2", "5-12 render draw by stage",
        "12-15 encoder (queued) encode", "15-20 encoder encode",
      ])
  }
}
