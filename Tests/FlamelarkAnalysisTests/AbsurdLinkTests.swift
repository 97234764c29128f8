import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Files hold what anybody may have written: links in circles, times beyond all bounds.
@Suite struct AbsurdLinkTests {
  @Test(.timeLimit(.minutes(2))) func thousandsOfWaitsThatEndEachOtherAreFollowedNoFurther()
    throws
  {
    var builder = TraceBuilder()
    let rows = 40
    for row in 0..<rows {
      builder.track("row \(row)")
      for pass in 0..<500 {
        let start = Int64(pass) * 1_000_000 + Int64(row) * 7_000
        builder.span("lock", from: start, to: start + 990_000)
        builder.wait(.lock, endedBy: (row + 1) % rows, at: start + 990_000)
      }
    }
    builder.marks("game", at: (0...60).map { Int64($0) * 8_000_000 }, refresh: 4_000_000)
    let trace = try builder.build()
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.hitches.count == 60)
    #expect(blame.causes.total == 60 * 4_000_000)
  }

  @Test(.timeLimit(.minutes(2))) func windowsThatOverlapWithoutEndAreGivenUpOn() throws {
    // All frames begin at 0 and end at the end, and were shown one after the other.
    var builder = TraceBuilder()
    builder.track("main")
    for _ in 0..<2000 { builder.span("a", lasting: 10_000) }
    var frames: [Trace.Frame] = []
    for number in 0..<1000 {
      var frame = Trace.Frame.displayLink(at: 0, target: 8_000_000, end: 20_000_000)
      frame.presented = 20_000_000 + Int64(number) * 30_000_000
      frames.append(frame)
    }
    builder.frames("screen", mode: .presented, frames)
    let trace = try builder.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    var walk = CriticalWalk(of: judged, in: trace)
    var sum = TimeSum()
    for number in 0..<1000 { walk.walk(number, of: judged, &sum) }
    #expect(walk.isExhausted)
    #expect(sum.time == 1000 * 20_000_000)
    #expect(sum.pieces < 1_500_000)
  }

  @Test func aDeepStackThatEndedIsClimbedOnce() throws {
    var builder = TraceBuilder()
    builder.track("main")
    func deeper(_ level: Int, _ builder: inout TraceBuilder) {
      builder.span("deeper") { if level < 500 { deeper(level + 1, &$0) } else { $0.pass(100) } }
    }
    deeper(0, &builder)
    let marks = (0...20_000).map { 1_000_000 + Int64($0) * 10_000_000 }
    builder.marks("game", at: marks, refresh: 10_000_000)
    let trace = try builder.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    var walk = CriticalWalk(of: judged, in: trace)
    var sum = TimeSum()
    for number in judged.frames.indices { walk.walk(number, of: judged, &sum) }
    let isExhausted = walk.isExhausted
    #expect(!isExhausted)
    #expect(sum.time == judged.frames.reduce(0) { $0 + $1.window.duration })
    #expect(sum.time >= 20_000 * 10_000_000)
  }

  @Test(arguments: Array<UInt64>(1...300)) func noTimesOfLinksStopTheAnalysis(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var trace = try LinkedTrace(seed: seed).build()
    func time(_ usual: Int64) -> Int64 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: .min
      case 1: .max
      case 2: .random(in: .min ... .max, using: &random)
      case 3: (1 << 61) * (Bool.random(using: &random) ? 1 : -1)
      default: usual
      }
    }
    for index in trace.waits.indices { trace.waits[index].endedAt = time(0) }
    for index in trace.taskChanges.indices {
      trace.taskChanges[index].time = time(trace.taskChanges[index].time)
    }
    trace.taskChanges.sort { ($0.track, $0.time) < ($1.track, $1.time) }
    for index in trace.threadStates.indices {
      trace.threadStates[index].wokenAt = time(0)
    }
    for index in trace.flows.indices {
      trace.flows[index].begin?.time = time(0)
      trace.flows[index].ends[0].time = time(trace.flows[index].ends[0].time)
    }
    // The first span of a row reaches back as far as can be, the last one forth.
    for track in trace.tracks where Bool.random(using: &random) {
      if let first = track.spans.first { trace.spans.start[first] = .min }
      if let last = track.spans.last, trace.spans.parent[last] == Trace.Spans.none {
        trace.spans.end[last] = .max
      }
    }
    for index in trace.frameSeries[0].frames.indices
    where Int.random(in: 0..<20, using: &random) == 0 {
      let frame = trace.frameSeries[0].frames[index]
      trace.frameSeries[0].frames[index].end = time(frame.end ?? 0)
      trace.frameSeries[0].frames[index].presented = time(frame.presented ?? 0)
    }
    try trace.checkInvariants()
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.causes.total == blame.frames.hitchTime, "seed \(seed)")
    for hitch in blame.hitches {
      let steps = blame.steps(of: hitch, in: trace)
      #expect(
        steps.reduce(0) { $0 + $1.range.duration } == hitch.window.duration, "seed \(seed)")
    }
  }
}

private struct TimeSum: CriticalVisitor {
  var time: Int64 = 0
  var pieces = 0

  mutating func spend(_ piece: CriticalPiece) {
    time += piece.range.duration
    pieces += 1
  }
}
