import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Hitches worked by hand.
@Suite struct BlameTests {
  @Test func slackIsSharedInProportionToExcess() throws {
    // Good frames leave 6.7 ms of 16.7; +2 and +8 ms make 3.3 ms late: 0.66 + 2.64.
    var loop = LoopBuilder()
    loop.passes(20, ["a": 4, "b": 5, "": 1])
    loop.pass(["a": 6, "b": 13, "": 1])
    loop.passes(20, ["a": 4, "b": 5, "": 1])
    let blame = try loop.blame(refresh: 16.7)
    let hitch = try #require(blame.hitches.first)
    #expect(blame.hitches.count == 1)
    #expect(hitch.frame.number == 20)
    #expect(hitch.lateness == .ms(3.3))
    #expect(hitch.causes.summary == ["frame>b 2640000", "frame>a 660000"])
    #expect(hitch.causes.map(\.share) == [0.8, 0.2])
    #expect(hitch.causes[0].normalTime == .ms(5))
    #expect(hitch.causes[0].lateTime == .ms(13))
    #expect(hitch.causes[0].normalCalls == 1)
    #expect(hitch.causes[0].lateCalls == 1)
    #expect(blame.causes.summary == hitch.causes.summary)
    #expect(blame.causes[0].topCount == 1)
    #expect(blame.causes[1].topCount == 0)
    #expect(blame.goodFrames == 37)
    #expect(blame.goodFrameTime == (.ms(10), .ms(10)))
  }

  @Test func whatIsAlwaysHeavyIsNotACause() throws {
    var loop = LoopBuilder()
    loop.passes(20, ["heavy": 14, "small": 0.1])
    loop.pass(["heavy": 14, "small": 6.1])
    let blame = try loop.blame(refresh: 16)
    #expect(blame.causes.summary == ["frame>small 4100000"])
  }

  @Test func aNanosecondIsNotLostInThirds() throws {
    var loop = LoopBuilder()
    loop.passes(10, ["a": 1, "b": 1, "c": 1])
    loop.pass(["a": 5, "b": 5, "c": 5])
    let blame = try loop.blame(refresh: 10.000002)
    #expect(blame.hitches[0].lateness == 4_999_998)
    #expect(blame.causes.total == 4_999_998)
    #expect(blame.causes.map(\.blame) == [1_666_666, 1_666_666, 1_666_666])
    let odd = try loop.blame(refresh: 10.000001)
    #expect(odd.causes.summary == ["frame>a 1666667", "frame>b 1666666", "frame>c 1666666"])
  }

  @Test func timeThatNoSpanNamesIsACause() throws {
    var loop = LoopBuilder()
    loop.passes(20, ["a": 5, "": 1])
    loop.pass(["a": 5, "": 9])
    let cause = try #require(try loop.blame(refresh: 10).causes.first)
    #expect(cause.kind == .uninstrumented)
    #expect(cause.path == ["frame"])
    #expect(cause.blame == .ms(4))
    #expect(cause.normalTime == .ms(1))
    #expect(cause.lateTime == .ms(9))
  }

  @Test func uninstrumentedTimeOfALoopHasNoPath() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    for pass in 0..<30 {
      builder.span("work", lasting: .ms(8))
      builder.pass(pass == 15 ? .ms(22) : .ms(2))
      marks.append(builder.now)
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    let blame = try #require(Blame(of: try builder.build(), series: "game"))
    #expect(blame.hitches.map(\.frame.number) == [15])
    #expect(blame.causes.map(\.kind) == [.uninstrumented])
    #expect(blame.causes[0].path.isEmpty)
    #expect(blame.causes[0].blame == .ms(20))
  }

  @Test func waitingIsNeverACause() throws {
    // The display shows 60 frames a second: 2 ms too many cost a whole interval of waiting.
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var shown: Int64 = 0
    for pass in 0..<30 {
      builder.advance(to: shown)
      builder.span("draw", lasting: pass == 15 ? .ms(18) : .ms(12))
      frames.append(.displayLink(at: shown, target: shown + .ms(16), end: builder.now))
      shown += pass == 15 ? .ms(32) : .ms(16)
    }
    builder.frames("screen", mode: .displayLink, frames)
    let blame = try #require(Blame(of: try builder.build(), series: "screen"))
    #expect(blame.hitches.map(\.lateness) == [.ms(16)])
    #expect(blame.causes.summary == ["draw 16000000"])
    #expect(blame.goodFrameTime.median == .ms(12))
  }

  @Test func recursionCountsOnce() throws {
    func measure(_ frame: inout TraceBuilder, _ depth: Int) {
      frame.span("measure") { inner in
        inner.pass(.ms(1))
        if depth > 1 { measure(&inner, depth - 1) }
      }
    }
    var loop = LoopBuilder()
    for pass in 0..<21 { loop.pass { measure(&$0, pass == 20 ? 12 : 2) } }
    let blame = try loop.blame(refresh: 8)
    #expect(blame.causes.summary == ["frame>measure 4000000"])
    #expect(blame.causes[0].normalTime == .ms(2))
    #expect(blame.causes[0].lateTime == .ms(12))
    #expect(blame.causes[0].lateCalls == 12)
  }

  @Test func moreCallsNameWhatIsCalledAndNotItsParts() throws {
    func cells(_ frame: inout TraceBuilder, _ count: Int) {
      frame.span("cells") { cells in
        for _ in 0..<count {
          cells.span("configure") { cell in
            for part in ["title", "image", "price", "badge"] { cell.span(part, lasting: .ms(0.1)) }
          }
        }
      }
    }
    var loop = LoopBuilder()
    for pass in 0..<41 { loop.pass { cells(&$0, pass == 20 ? 40 : 5) } }
    let cause = try #require(try loop.blame(refresh: 10).causes.first)
    #expect(cause.path == ["frame", "cells", "configure"])
    #expect(cause.blame == .ms(6))
    #expect(cause.normalCalls == 5)
    #expect(cause.lateCalls == 40)
  }

  @Test func aSlowPartOfWhatIsCalledAsOftenIsNamedItself() throws {
    var loop = LoopBuilder()
    for pass in 0..<41 {
      loop.pass { frame in
        frame.span("cells") { cells in
          cells.span("title", lasting: .ms(1))
          cells.span("image", lasting: pass == 20 ? .ms(12) : .ms(1))
        }
      }
    }
    #expect(try loop.blame(refresh: 10).causes.summary == ["frame>cells>image 3000000"])
  }

  @Test func aNewSpanIsNamedWhole() throws {
    var loop = LoopBuilder()
    for pass in 0..<41 {
      loop.pass { frame in
        frame.span("draw", lasting: .ms(5))
        if pass == 20 {
          frame.span("gc") { collect in
            for phase in ["mark", "trace", "sweep", "compact"] {
              collect.span(phase, lasting: .ms(2))
            }
          }
        }
      }
    }
    let causes = try loop.blame(refresh: 10).causes
    #expect(causes.summary == ["frame>gc 3000000"])
    #expect(causes[0].normalTime == 0)
    #expect(causes[0].normalCalls == 0)
  }

  @Test func aSpanWhosePartsAreAllWithinTheNoiseKeepsItsBlame() throws {
    // Each part swings by 2 ms around 3, their sum never: both at 5 is new only for the sum.
    var loop = LoopBuilder()
    for pass in 0..<60 {
      loop.pass { frame in
        frame.span("draw") { draw in
          draw.span("text", lasting: pass == 30 ? .ms(5) : .ms(pass % 2 == 0 ? 1 : 5))
          draw.span("fill", lasting: pass == 30 ? .ms(5) : .ms(pass % 2 == 0 ? 5 : 1))
        }
      }
    }
    let blame = try loop.blame(refresh: 8)
    #expect(blame.hitches.map(\.frame.number) == [30])
    #expect(blame.causes.summary == ["frame>draw 2000000"])
  }

  @Test func whenEveryFrameIsLateTheFastestSayWhatIsNormal() throws {
    var loop = LoopBuilder()
    for pass in 0..<80 { loop.pass(["base": 14, "extra": pass % 4 == 0 ? 0 : 8]) }
    let blame = try loop.blame(refresh: 10)
    #expect(blame.hitches.count == 80)
    #expect(blame.strata.map(\.isSystemic) == [true])
    #expect(blame.strata[0].goodFrames == 20)
    #expect(blame.causes.total == blame.frames.hitchTime)
    let late = try #require(blame.hitches.first { $0.frame.number == 1 })
    // Normal is 14 ms and doesn't fit: what keeps it from fitting is asked too.
    #expect(late.causes.summary == ["frame>extra 8000000", "frame>base 4000000"])
    let fast = try #require(blame.hitches.first { $0.frame.number == 0 })
    #expect(fast.causes.summary == ["frame>base 4000000"])
  }

  @Test func eachRateHasItsOwnNormal() throws {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    for pass in 0..<120 {
      let interval = pass < 60 ? Int64.ms(8) : .ms(16)
      let isLate = pass == 30 || pass == 90
      frames.append(.displayLink(at: builder.now, target: builder.now + interval))
      builder.span("update", lasting: interval / 2)
      builder.span("draw", lasting: interval / 2 + (isLate ? .ms(5) : 0))
    }
    frames.append(.displayLink(at: builder.now, target: builder.now + .ms(16)))
    builder.frames("screen", mode: .displayLink, frames)
    let blame = try #require(Blame(of: try builder.build(), series: "screen"))
    #expect(blame.strata.map(\.interval) == [.ms(8), .ms(16)])
    #expect(blame.strata.map(\.isWidened) == [false, false])
    #expect(blame.frames.rateChanges == 1)
    #expect(blame.hitches.map(\.causes.summary) == [["draw 5000000"], ["draw 5000000"]])
    #expect(blame.hitches.map { $0.causes[0].normalTime } == [.ms(4), .ms(8)])
    #expect(blame.causes.summary == ["draw 10000000"])
    #expect(blame.causes[0].hitchCount == 2)
    #expect(blame.causes[0].normalTime == .ms(6))
  }

  @Test func tooFewGoodFramesOfATagTakeTheSeriesNormal() throws {
    var builder = TraceBuilder()
    builder.track("main")
    let tag = builder.name("menu")
    var frames: [Trace.Frame] = []
    for pass in 0..<60 {
      var frame = Trace.Frame.displayLink(at: builder.now, target: builder.now + .ms(10))
      if pass > 50 { frame.tag = tag }
      builder.span("draw", lasting: pass == 55 ? .ms(15) : .ms(10))
      frames.append(frame)
    }
    frames.append(.displayLink(at: builder.now, target: builder.now + .ms(10)))
    builder.frames("screen", mode: .displayLink, frames)
    let blame = try #require(Blame(of: try builder.build(), series: "screen"))
    #expect(blame.strata.map(\.tag) == ["menu", nil])
    #expect(blame.strata.map(\.isWidened) == [true, false])
    #expect(blame.causes.summary == ["draw 5000000"])
  }

  @Test func aCauseStandsWhereMostOfItsLateTimeWasSpent() throws {
    var loop = LoopBuilder()
    for pass in 0..<21 {
      loop.pass { frame in
        frame.span("load", file: "Feed.swift", line: 10, lasting: .ms(2))
        frame.span("load", file: "Feed.swift", line: 20, lasting: pass == 20 ? .ms(12) : .ms(1))
        frame.span("draw", file: "Draw.swift", line: 3, lasting: pass == 20 ? .ms(2) : .ms(1))
      }
    }
    let causes = try loop.blame(refresh: 10).causes
    #expect(causes.map(\.path.last) == ["load", "draw"])
    #expect(causes.map(\.file) == ["Feed.swift", "Draw.swift"])
    #expect(causes.map(\.line) == [20, 3])
  }

  @Test func aRangeChoosesHitchesAndKeepsNormal() throws {
    var loop = LoopBuilder()
    for pass in 0..<60 { loop.pass(["draw": pass == 10 || pass == 40 ? 15 : 5]) }
    var options = Blame.Options()
    options.ranges = [.ms(600)..<Int64.ms(820)]
    let blame = try loop.blame(refresh: 10, options: options)
    #expect(blame.hitches.map(\.frame.number) == [40])
    #expect(blame.frames.hitchTime == .ms(5))
    #expect(blame.frames.frames.map(\.number) == Array(30...40))
    #expect(blame.causes.summary == ["frame>draw 5000000"])
    #expect(blame.goodFrames == 60 - 8)
  }

  @Test func aLateFrameThatDidNothingUnusualHasNoNamedCause() throws {
    // Its work was done in time, a frame was asked for, but the next one came late.
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var shown: Int64 = 0
    for pass in 0..<40 {
      builder.span("draw", from: shown, to: shown + .ms(4))
      var frame = Trace.Frame.displayLink(
        at: shown, target: shown + .ms(10), end: shown + .ms(4))
      frame.isRequested = true
      frames.append(frame)
      shown += pass == 20 ? .ms(35) : .ms(10)
    }
    builder.frames("screen", mode: .displayLink, frames)
    let blame = try #require(Blame(of: try builder.build(), series: "screen"))
    #expect(blame.causes.summary == ["(other) 25000000"])
    #expect(blame.causes[0].normalTime == 0)
  }

  @Test func noFramesOneFrameAndFramesAtOneMomentAreNoTrouble() throws {
    for times: [Int64] in [[], [0], [0, 0, 0], [5, 5, .ms(50), .ms(50)]] {
      var builder = TraceBuilder()
      builder.track("main")
      builder.span("work", from: 0, to: .ms(45)) { $0.span("nothing", from: 5, to: 5) }
      builder.marks("game", at: times, refresh: .ms(10))
      let blame = try #require(Blame(of: try builder.build(), series: "game"))
      #expect(blame.causes.total == blame.frames.hitchTime)
      #expect(blame.hitches.count == (times.count == 4 ? 1 : 0))
    }
    #expect(Blame(of: Trace(), series: "game") == nil)
  }

  @Test func aHitchWithoutAnySpanIsUninstrumented() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.marks(
      "game", at: (0...20).map { .ms(Double($0) * 10 + ($0 > 9 ? 30 : 0)) }, refresh: .ms(10))
    let blame = try #require(Blame(of: try builder.build(), series: "game"))
    #expect(blame.causes.summary == ["(uninstrumented) 30000000"])
  }

  @Test func pathsOfAHundredThousandNamesAreNotAllWrittenDown() throws {
    // Every span is new and takes time of its own: 100,000 causes would have 5 billion names.
    var trace = deepTrace(depth: 100_000, passes: 1, slow: 0, step: 500)
    trace.frameSeries[0].frames.append(Trace.Frame(number: 2, timestamp: .ms(250), track: 0))
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.causes.total == .ms(50))
    #expect(blame.causes.count > 10)
    #expect(blame.causes.reduce(0) { $0 + $1.path.count } <= 1 << 20)
  }

  @Test func tenThousandSpansInEachOtherAreFollowedToTheBottom() throws {
    let depth = 10_000
    let trace = deepTrace(depth: depth, passes: 4, slow: 2)
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.hitches.map(\.lateness) == [.ms(50)])
    let cause = try #require(blame.causes.first)
    #expect(cause.path.count == depth)
    #expect(cause.path.last == "level 9999")
    #expect(cause.blame > .ms(49.9))
  }

  /// Passes of 100 ms in which spans of different names stand in each other; one takes 150 ms, in
  /// the innermost. Made without the builder: no closure in a closure 100,000 times.
  private func deepTrace(
    depth: Int, passes: Int, slow: Int, step: Int64 = 1
  ) -> Trace {
    var trace = Trace()
    for level in 0..<depth {
      trace.callSites.append(Trace.CallSite(name: trace.names.intern("level \(level)")))
    }
    var series = Trace.FrameSeries(name: "deep", mode: .marks, refresh: .ms(100))
    var start: Int64 = 0
    for pass in 0..<passes {
      series.frames.append(Trace.Frame(number: pass, timestamp: start, track: 0))
      let end = start + (pass == slow ? .ms(150) : .ms(100))
      for level in 0..<depth {
        trace.spans.append(
          start: start + Int64(level) * step, end: end - Int64(level) * step,
          site: CallSiteID(UInt32(level)),
          parent: level == 0 ? Trace.Spans.none : UInt32(trace.spans.count - 1))
      }
      start = end
    }
    series.frames.append(Trace.Frame(number: passes, timestamp: start, track: 0))
    trace.frameSeries = [series]
    trace.tracks = [
      Trace.Track(
        kind: .thread, name: "main", processID: 1, threadID: 1, spans: 0..<trace.spans.count)
    ]
    return trace
  }
}
