import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What holds for every walk, on random traces with waits, links, states, stages and tasks.
@Suite struct WalkInvariantTests {
  @Test(arguments: Array<UInt64>(1...100)) func thePiecesOfAWindowAddUpToIt(seed: UInt64) throws {
    let trace = try LinkedTrace(seed: seed).build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    var walk = CriticalWalk(of: judged, in: trace)
    for frame in judged.frames {
      var collector = StepCollector()
      walk.walk(frame.number, of: judged, &collector)
      let steps = collector.steps(walk.tree, names: trace.names)
      var time = frame.window.lowerBound
      for step in steps {
        #expect(step.range.lowerBound == time, "frame \(frame.number), seed \(seed)")
        #expect((step.hops > 0) == (step.link != nil), "frame \(frame.number), seed \(seed)")
        #expect(step.hops <= 16, "seed \(seed)")
        time = step.range.upperBound
      }
      #expect(time == frame.window.upperBound, "frame \(frame.number), seed \(seed)")
    }
  }

  @Test(arguments: Array<UInt64>(1...100)) func causesAddUpWithLinksToo(seed: UInt64) throws {
    let trace = try LinkedTrace(seed: seed).build()
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    for hitch in blame.hitches {
      #expect(hitch.causes.total == hitch.lateness, "frame \(hitch.frame.number), seed \(seed)")
      #expect((0...1).contains(hitch.explained), "seed \(seed)")
      #expect(hitch.root <= hitch.frame.number, "seed \(seed)")
      #expect(
        blame.clusters[hitch.cluster].frames.contains(hitch.frame.number), "seed \(seed)")
    }
    #expect(blame.clusters.reduce(0) { $0 + $1.lateness } == blame.frames.hitchTime)
    #expect((blame.tree.first?.total ?? 0) == blame.frames.hitchTime, "seed \(seed)")
    for cause in blame.causes {
      guard let ratio = cause.ratioIfNormal else { continue }
      #expect(ratio >= 0 && ratio <= blame.frames.hitchRatio + 1e-9, "seed \(seed)")
    }
  }

  /// The rule for waits and states again, asked of each nanosecond by itself.
  @Test(arguments: Array<UInt64>(1...40)) func isWhatALookAtEveryInstantFinds(
    seed: UInt64
  ) throws {
    let trace = try LinkedTrace(seed: seed, hasOnlyWaits: true).build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    for frame in judged.frames.prefix(6) {
      let found = steps(trace, frame: frame.number)
      for time in frame.window {
        let step = try #require(found.first { $0.range.contains(time) })
        let expected = Instant(of: trace).owner(row: step.hops == 0 ? step.track : 0, time, 0)
        #expect(
          [step.track, step.hops] == [expected.row, expected.hops] && step.kind == expected.kind,
          "\(time), seed \(seed)")
      }
    }
  }
}

/// Who has an instant.
private struct Instant {
  let trace: Trace

  init(of trace: Trace) { self.trace = trace }

  func owner(row: Int, _ time: Int64, _ hops: Int) -> (row: Int, hops: Int, kind: Cause.Kind) {
    let spans = trace.spans
    let open = trace.tracks[row].spans.last { spans.start[$0] <= time && time < spans.end[$0] }
    if let open, let wait = trace.waits.first(where: { $0.span == open }) {
      let end = wait.endedAt ?? spans.end[open]
      if wait.endedAt != nil, end <= spans.start[open] { return (row, hops, .span) }
      if let ender = wait.endedByTrack, ender != row {
        if time >= end { return (row, hops, .preempted) }
        return hops < 16 ? owner(row: ender, time, hops + 1) : (row, hops, .blocked)
      }
      return trace.threadStates.contains { $0.track == row }
        ? state(row: row, time, hops, .span) : (row, hops, .blocked)
    }
    return state(row: row, time, hops, open == nil ? .uninstrumented : .span)
  }

  private func state(
    row: Int, _ time: Int64, _ hops: Int, _ running: Cause.Kind
  ) -> (row: Int, hops: Int, kind: Cause.Kind) {
    guard
      let state = trace.threadStates.first(where: { $0.track == row && $0.range.contains(time) })
    else { return (row, hops, running) }
    let woken = state.wokenAt ?? state.range.upperBound
    if state.kind == .preempted || time >= woken { return (row, hops, .preempted) }
    guard let waker = state.wokenBy, waker != row else { return (row, hops, .blocked) }
    return hops < 16 ? owner(row: waker, time, hops + 1) : (row, hops, .blocked)
  }
}
