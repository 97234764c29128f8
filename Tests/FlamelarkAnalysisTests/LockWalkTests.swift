import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What a walk makes of waits.
@Suite struct LockWalkTests {
  /// A row that waits from 10 to 40, and another that has what it waits for.
  private func waiting(endedBy ender: Int?, at end: Int64?) throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 0, to: 10)
    builder.span("lock", from: 10, to: 40)
    builder.wait(.lock, endedBy: ender, at: end)
    builder.span("b", from: 40, to: 50)
    builder.track("holder")
    builder.span("save", from: 5, to: 45) { $0.span("write", from: 20, to: 35) }
    builder.firstFrame(until: 50)
    return try builder.build()
  }

  @Test func aWaitForALockIsWhatItsHolderDid() throws {
    #expect(
      stepLines(try waiting(endedBy: 1, at: 40)) == [
        "0-10 main a", "10-20 holder save by lock", "20-35 holder save>write by lock",
        "35-40 holder save by lock", "40-50 main b",
      ])
  }

  @Test func aWaitWhoseEndNobodySaidEndsWithItsSpan() throws {
    #expect(
      stepLines(try waiting(endedBy: 1, at: nil)) == stepLines(try waiting(endedBy: 1, at: 40)))
  }

  @Test func aWaitWithoutAnEnderIsBlocked() throws {
    #expect(
      stepLines(try waiting(endedBy: nil, at: nil)) == [
        "0-10 main a", "10-40 main (blocked) lock", "40-50 main b",
      ])
  }

  @Test func aRowThatEndedItsOwnWaitIsBlocked() throws {
    #expect(
      stepLines(try waiting(endedBy: 0, at: 40)).dropFirst().first == "10-40 main (blocked) lock")
  }

  @Test(arguments: [10, 3, Int64.min]) func aWaitThatDidNotBlockIsItsSpansTime(
    end: Int64
  ) throws {
    #expect(
      stepLines(try waiting(endedBy: 1, at: end)) == [
        "0-10 main a", "10-40 main lock", "40-50 main b",
      ])
  }

  @Test func fromTheEndOfAWaitUntilItsRowGoesOnItIsPreempted() throws {
    #expect(
      stepLines(try waiting(endedBy: 1, at: 30)) == [
        "0-10 main a", "10-20 holder save by lock", "20-30 holder save>write by lock",
        "30-40 main (preempted) lock", "40-50 main b",
      ])
  }

  @Test func aWaitThatEndsBehindItsSpanIsNoLongerThanTheSpan() throws {
    #expect(
      stepLines(try waiting(endedBy: 1, at: .max)) == stepLines(try waiting(endedBy: 1, at: 40)))
  }

  @Test func aChainOfThreeIsFollowedToItsEnd() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("lock", from: 10, to: 50)
    builder.wait(.lock, endedBy: 1, at: 50)
    builder.span("b", from: 50, to: 60)
    builder.track("one")
    builder.span("work", from: 0, to: 60) { work in
      work.span("signal", from: 15, to: 45)
      work.wait(.semaphore, endedBy: 2, at: 45)
    }
    builder.track("two")
    builder.span("read", from: 12, to: 30)
    builder.span("queue", from: 30, to: 50)
    builder.wait(.queue, endedBy: 3, at: 40)
    builder.track("three")
    builder.span("job", from: 20, to: 40)
    builder.firstFrame(until: 60)
    #expect(
      stepLines(try builder.build()) == [
        "0-10 main (uninstrumented)", "10-15 one work by lock", "15-30 two read by semaphore 2",
        "30-40 three job by queue 3", "40-45 two (preempted) queue by semaphore 2",
        "45-50 one work by lock", "50-60 main b",
      ])
  }

  @Test func rowsThatWaitForEachOtherAreBlocked() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("lock", from: 10, to: 40)
    builder.wait(.lock, endedBy: 1, at: 40)
    builder.track("other")
    builder.span("lock", from: 5, to: 45)
    builder.wait(.lock, endedBy: 0, at: 45)
    builder.firstFrame(until: 40)
    #expect(
      stepLines(try builder.build()) == [
        "0-10 main (uninstrumented)", "10-40 main (blocked) lock by lock 16",
      ])
  }

  @Test func theSeventeenthHopIsNotFollowed() throws {
    var builder = TraceBuilder()
    for row in 0...20 {
      builder.track("row \(row)")
      builder.span("lock", from: 10, to: 40)
      if row < 20 { builder.wait(.lock, endedBy: row + 1, at: 40) }
    }
    builder.firstFrame(until: 40)
    #expect(
      stepLines(try builder.build()) == [
        "0-10 row 0 (uninstrumented)", "10-40 row 16 (blocked) lock by lock 16",
      ])
  }
}
