import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What would be if a cause were normal.
@Suite struct WhatIfTests {
  /// What one pass does: the loop's own part, when it asks a worker for a job of some length, and then
  /// waits for it.
  private struct Pass {
    var own = 6.0
    var job = 4.0
  }

  /// 60 passes of a loop that asks a worker at the beginning of each pass for a job, does its own part,
  /// waits for the job if it isn't done, and goes on for 1 ms. A pass may take 10 ms.
  private func blame(_ late: Pass, link: Bool = true, known: Bool = true) throws -> Blame {
    var builder = TraceBuilder()
    var marks: [Int64] = [0]
    var jobs: [Range<Int64>] = []
    builder.track("main")
    for number in 0..<60 {
      let pass = number == 30 ? late : Pass()
      let start = builder.now
      let done = start + .ms(pass.job)
      jobs.append(start..<done)
      builder.span("own", lasting: .ms(pass.own))
      builder.span("await job", lasting: max(0, done - builder.now))
      builder.wait(.await, endedBy: known ? 1 : nil, at: known ? done : nil)
      builder.span("rest", lasting: .ms(1))
      marks.append(builder.now)
    }
    builder.track("worker")
    for job in jobs { builder.span("job", from: job.lowerBound, to: job.upperBound) }
    if link {
      for job in jobs { builder.flow("ask", from: (job.lowerBound, 0), to: [(job.lowerBound, 1)]) }
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    let trace = try builder.build()
    return Blame(of: trace, series: trace.frameSeries[0])
  }

  /// By how many milliseconds all hitches would be less late without a cause.
  private func saved(_ blame: Blame, _ name: String) throws -> Double {
    let cause = try #require(blame.causes.first { $0.path.last == name }, "\(name)")
    let ratio = try #require(cause.ratioIfNormal)
    // (late − s) / (active − s) = ratio.
    let (late, active) = (Double(blame.frames.hitchTime), Double(blame.frames.activeTime))
    return (late - ratio / 1000 * active) / (1 - ratio / 1000) / 1_000_000
  }

  @Test func aLongOwnPartIsSavedWhole() throws {
    // 14 instead of 6 ms, the job is done long before: 5 ms late, all of it saved.
    #expect(abs(try saved(blame(Pass(own: 14)), "own") - 5) < 0.01)
  }

  @Test func aWaitThatDidNotBlockLimitsWhatIsSaved() throws {
    // With an own part of 6 ms the loop would have waited for the job until 12: 3 of 5 ms late remain.
    let blame = try blame(Pass(own: 14, job: 12))
    #expect(blame.hitches.map(\.lateness) == [.ms(5)])
    #expect(abs(try saved(blame, "own") - 2) < 0.01)
  }

  @Test func aWaitThatNobodyIsKnownToEndLimitsNothing() throws {
    #expect(abs(try saved(blame(Pass(own: 14, job: 12), known: false), "own") - 5) < 0.01)
  }

  @Test func aJobThatWasWaitedForIsSavedUntilTheLoopsOwnPart() throws {
    // 16 instead of 4 ms: 17 ms for 10. With the usual job the loop needs its own 6 and 1.
    let blame = try blame(Pass(job: 16))
    #expect(blame.hitches.map(\.lateness) == [.ms(7)])
    #expect(blame.causes.map(\.path) == [["job"]])
    #expect(blame.causes[0].link == .await)
    #expect(abs(try saved(blame, "job") - 7) < 0.01)
  }

  @Test func aWaitAbsorbsWhatIsSavedBeforeIt() throws {
    // The own part takes 3 ms more, the job much more: the loop then just waits longer.
    let blame = try blame(Pass(own: 9, job: 16))
    #expect(blame.hitches.map(\.lateness) == [.ms(7)])
    #expect(abs(try saved(blame, "own")) < 0.01)
    #expect(try saved(blame, "job") > 5.9)
  }

  @Test func workThatIsAskedForSoonerIsDoneSooner() throws {
    // The loop reads, then asks, then only waits: a shorter read lets the job begin sooner.
    func blame(link: Bool) throws -> Blame {
      var builder = TraceBuilder()
      var marks: [Int64] = [0]
      var jobs: [Range<Int64>] = []
      builder.track("main")
      for number in 0..<60 {
        builder.span("read", lasting: .ms(number == 30 ? 9 : 2))
        let asked = builder.now
        jobs.append(asked..<asked + .ms(5))
        builder.span("await job", lasting: .ms(5))
        builder.wait(.await, endedBy: 1, at: builder.now)
        marks.append(builder.now)
      }
      builder.track("worker")
      for job in jobs { builder.span("job", from: job.lowerBound, to: job.upperBound) }
      if link {
        for job in jobs {
          builder.flow("ask", from: (job.lowerBound, 0), to: [(job.lowerBound, 1)])
        }
      }
      builder.marks("game", at: marks, refresh: .ms(10))
      let trace = try builder.build()
      return Blame(of: trace, series: trace.frameSeries[0])
    }
    let linked = try blame(link: true)
    #expect(linked.hitches.map(\.lateness) == [.ms(4)])
    #expect(linked.causes.map(\.path) == [["read"]])
    #expect(abs(try saved(linked, "read") - 4) < 0.01)
    // Where nobody is known to have asked, the job begins when it did.
    #expect(abs(try saved(blame(link: false), "read")) < 0.01)
  }

  @Test func inAPipelineAnEarlierFrameCanBeWhatIsSaved() throws {
    var pipeline = PipelineTrace(frames: 60)
    (pipeline.render[30], pipeline.render[31]) = (25, 11)
    let blame = try pipeline.blame()
    #expect(blame.hitches.map(\.frame.number) == [31])
    #expect(blame.causes[0].path == ["draw"])
    #expect(blame.causes[0].ratioIfNormal == 0)
  }

  @Test func whatCantBeReplayedHasNoRatio() throws {
    var pipeline = PipelineTrace(frames: 60)
    pipeline.display[30] = 8
    let blame = try pipeline.blame()
    #expect(blame.causes.map(\.kind) == [.other])
    #expect(blame.causes[0].ratioIfNormal == nil)
    #expect(blame.ratioIfFirstThreeNormal == nil)
  }
}
