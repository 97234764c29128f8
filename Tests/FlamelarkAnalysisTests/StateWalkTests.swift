import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What a walk makes of thread states.
@Suite struct StateWalkTests {
  /// A span from 0 to 30, and a reader beside it; the first row has the states.
  private func trace(_ states: [Trace.ThreadState], waits: Bool = false) throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 0, to: 30)
    if waits { builder.wait(.other) }
    builder.track("reader")
    builder.span("read", from: 5, to: 18)
    builder.firstFrame(until: 30)
    var trace = try builder.build()
    trace.threadStates = states
    try trace.checkInvariants()
    return trace
  }

  private func blocked(_ range: Range<Int64>, wokenBy: Int? = nil, at: Int64? = nil)
    -> Trace.ThreadState
  {
    var state = Trace.ThreadState(track: 0, kind: .blocked, range: range)
    (state.wokenBy, state.wokenAt) = (wokenBy, at)
    return state
  }

  @Test func aThreadWithoutAProcessorIsPreempted() throws {
    let state = Trace.ThreadState(track: 0, kind: .preempted, range: 10..<20)
    #expect(
      stepLines(try trace([state])) == ["0-10 main a", "10-20 main (preempted) a", "20-30 main a"])
  }

  @Test func aThreadThatNobodyIsKnownToHaveWokenIsBlocked() throws {
    #expect(
      stepLines(try trace([blocked(10..<20)])) == [
        "0-10 main a", "10-20 main (blocked) a", "20-30 main a",
      ])
  }

  @Test func aBlockedThreadWaitedForTheOneThatWokeIt() throws {
    #expect(
      stepLines(try trace([blocked(10..<20, wokenBy: 1, at: 16)])) == [
        "0-10 main a", "10-16 reader read by wait", "16-20 main (preempted) a", "20-30 main a",
      ])
  }

  @Test(arguments: [Int64.min, .max]) func aMomentOfWakingOutsideOfTheStateIsCutToIt(
    at: Int64
  ) throws {
    let woken = at < 0 ? "10-20 main (preempted) a" : "10-18 reader read by wait"
    #expect(stepLines(try trace([blocked(10..<20, wokenBy: 1, at: at)])).dropFirst().first == woken)
  }

  @Test func aWaitWithoutAnEnderIsToldByStates() throws {
    #expect(
      stepLines(try trace([blocked(10..<20, wokenBy: 1, at: 18)], waits: true)) == [
        "0-10 main a", "10-18 reader read by wait", "18-20 main (preempted) a", "20-30 main a",
      ])
  }

  @Test func statesBeginAndEndOutsideOfTheWindow() throws {
    let states = [
      Trace.ThreadState(track: 0, kind: .preempted, range: -50..<5),
      Trace.ThreadState(track: 0, kind: .preempted, range: 25..<90),
    ]
    #expect(
      stepLines(try trace(states)) == [
        "0-5 main (preempted) a", "5-25 main a", "25-30 main (preempted) a",
      ])
  }
}
