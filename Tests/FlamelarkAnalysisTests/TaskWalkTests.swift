import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What a walk makes of tasks.
@Suite struct TaskWalkTests {
  /// A row that awaits a task from 10 to 50. The task runs from 12 to 30 on one thread and from 35 to 50
  /// on another.
  private func awaiting() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("ask", from: 0, to: 10)
    builder.span("await", from: 10, to: 50)
    builder.wait(.await, at: 50)
    builder.track("pool 1")
    builder.track("pool 2")
    builder.span("before", from: 0, to: 33)
    builder.task("job", id: 7)
    builder.span("load", from: 12, to: 50) { load in
      load.span("parse", from: 12, to: 30)
      load.span("store", from: 35, to: 50)
    }
    builder.firstFrame(until: 50)
    var trace = try builder.build()
    trace.waits[0].endedByTask = 7
    trace.taskChanges = [
      .init(time: 12, track: 1, task: 7), .init(time: 30, track: 1, task: nil),
      .init(time: 35, track: 2, task: 7), .init(time: 50, track: 2, task: nil),
    ]
    try trace.checkInvariants()
    return trace
  }

  @Test func aTaskIsFollowedFromThreadToThread() throws {
    #expect(
      stepLines(try awaiting()) == [
        "0-10 main ask", "10-12 pool 1 (queued) by await", "12-30 job load>parse by await",
        "30-35 job load by await", "35-50 job load>store by await",
      ])
  }

  @Test func untilATaskIsAskedForTheTimeIsTheAskers() throws {
    var trace = try awaiting()
    let site = trace.spans.site[0]
    trace.flows = [
      Trace.Flow(
        number: 1, begin: .init(time: 11, track: 2, site: site),
        ends: [.init(time: 12, track: 1, task: 7, site: site)])
    ]
    #expect(
      Array(stepLines(trace).dropFirst().prefix(2)) == [
        "10-11 pool 2 before by flow 2", "11-12 pool 1 (queued) by await",
      ])
  }

  @Test func whatATasksThreadDidInSpansOfItsOwnIsTheThreads() throws {
    var trace = try awaiting()
    // Seen on the second thread from 20 on, whose span ends at 33.
    trace.taskChanges[2].time = 20
    #expect(
      stepLines(trace) == [
        "0-10 main ask", "10-12 pool 1 (queued) by await", "12-20 job load>parse by await",
        "20-33 pool 2 before by await", "33-35 job load by await",
        "35-50 job load>store by await",
      ])
  }

  @Test func aTaskThatIsInNoRowIsBlocked() throws {
    var trace = try awaiting()
    trace.waits[0].endedByTask = 8
    #expect(stepLines(trace).dropFirst().first == "10-50 main (blocked) await")
  }

  @Test func aTaskThatTheLoopRanIsPartOfTheLoop() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.task("frame", id: 3)
    builder.span("update", from: 2, to: 30)
    builder.firstFrame(until: 40)
    var trace = try builder.build()
    trace.taskChanges = [
      .init(time: 2, track: 0, task: 3), .init(time: 35, track: 0, task: nil),
    ]
    #expect(
      stepLines(trace) == [
        "0-2 main (uninstrumented)", "2-30 frame update", "30-35 frame (uninstrumented)",
        "35-40 main (uninstrumented)",
      ])
  }
}
