import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What holds for the figures of any frames.
@Suite struct FrameFiguresTests {
  private func figures(_ trace: Trace) -> FrameFigures {
    FrameFigures(of: trace.frameSeries[0], in: trace)
  }

  @Test func aSeriesWithoutFrameTimesHasNoFigures() throws {
    for count in 0...1 {
      var builder = TraceBuilder()
      builder.track("main")
      builder.marks("game", at: Array(repeating: 0, count: count), refresh: .ms(16))
      let figures = figures(try builder.build())
      #expect(figures.frameCount == count)
      #expect(figures.times == [])
      #expect(figures.hitchRatio == 0)
      #expect(figures.hitches.count == 0)
      #expect(figures.hitches.lateness == nil)
      #expect(figures.rate.mean == nil)
      #expect(figures.rate.windows == [])
      #expect(figures.lows == [])
      #expect(figures.refresh.runs == [])
      #expect(figures.pacing.pairs == 0)
      #expect(figures.nearMisses == nil)
      #expect(figures.activities == [])
    }
  }

  @Test func nearestRankIsTheLeastValueThatIsNotBelowThePart() {
    for count in 1...40 {
      let values = Array(1...count)
      for perMille in [1, 10, 500, 900, 990, 999, 1000] {
        // The definition, looked for: the first value that at least q·n values are not above.
        let wanted = values.first { $0 * 1000 >= perMille * count }
        #expect(NearestRank.value(perMille: perMille, of: values) == wanted)
      }
    }
    #expect(NearestRank.value(perMille: 500, of: [Int]()) == nil)
  }

  /// A run with random frame times, targets and ends; every tenth frame is followed by a rest.
  private func randomTrace(
    _ mode: Trace.FrameSeries.Mode, using random: inout SeededGenerator
  ) throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var now: Int64 = 0
    var shown: Int64 = 0
    for number in 0..<Int.random(in: 2...400, using: &random) {
      let interval = Int64.ms([8, 16, 33].randomElement(using: &random) ?? 16)
      let time = Int64.random(in: .ms(1)...(.ms(number % 50 == 7 ? 900 : 40)), using: &random)
      var frame = Trace.Frame.displayLink(
        at: now, target: Bool.random(using: &random) ? now + interval : nil,
        end: now + time / 2)
      if mode == .presented {
        shown = max(shown, now + Int64.random(in: 0...(.ms(50)), using: &random))
        frame.presented = number % 7 == 3 ? nil : shown
        frame.isDiscarded = number % 14 == 3
      }
      frame.isRequested = number % 10 == 9 ? false : nil
      frame.beginsSegment = number % 33 == 32
      frames.append(frame)
      now += time
    }
    builder.frames("game", mode: mode, frames)
    return try builder.build()
  }

  @Test(arguments: [Trace.FrameSeries.Mode.displayLink, .presented, .marks])
  func whatIsCountedTwiceIsTheSame(_ mode: Trace.FrameSeries.Mode) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let trace = try randomTrace(mode, using: &random)
      let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
      let figures = figures(trace)
      #expect(figures.hitchRatio == judged.hitchRatio, "seed \(seed)")
      #expect(figures.times.reduce(0) { $0 + $1.duration } == judged.activeTime, "seed \(seed)")
      #expect(figures.times.reduce(0) { $0 + $1.lateness } == judged.hitchTime, "seed \(seed)")
      #expect(figures.hitches.count == judged.frames.count { $0.lateness > 0 }, "seed \(seed)")
      #expect(figures.hitches.byIntervals.reduce(0, +) == figures.hitches.count)
      #expect(figures.refresh.changes == judged.rateChanges, "seed \(seed)")
      #expect(
        figures.refresh.rates.reduce(0) { $0 + $1.activeTime } == judged.activeTime, "seed \(seed)")
      #expect(
        figures.refresh.runs.reduce(0) { $0 + $1.activeTime } == judged.activeTime, "seed \(seed)")
      #expect(figures.refresh.rates.reduce(0) { $0 + $1.hitchTime } == judged.hitchTime)
      // No gap: each frame time is in a window or left over.
      let windows = figures.rate.windows
      #expect(
        windows.reduce(figures.rate.leftOver) { $0 + $1.frames } == figures.times.count,
        "seed \(seed)")
      let inWindows = figures.times.dropLast(max(0, figures.rate.leftOver)).reduce(0) {
        $0 + $1.duration
      }
      #expect(windows.reduce(0) { $0 + $1.time } == inWindows, "seed \(seed)")
      for window in windows { #expect(window.time >= 1_000_000_000) }
      if let latency = figures.latency {
        #expect(latency.frames == judged.latency.frames, "seed \(seed)")
        #expect(latency.mean == judged.latency.mean, "seed \(seed)")
      }
      for low in figures.lows {
        #expect(low.percentile <= low.longest)
        // The definition: what is longer has less than the part of all time, with the low it has it.
        func time(_ isIncluded: (Int64) -> Bool) -> Int64 {
          figures.times.reduce(0) { $0 + (isIncluded($1.duration) ? $1.duration : 0) } * 1000
        }
        let part = judged.activeTime * Int64(low.perMille)
        #expect(time { $0 > low.timeIntegral } < part, "seed \(seed)")
        #expect(time { $0 >= low.timeIntegral } >= part, "seed \(seed)")
      }
    }
  }

  @Test func halfAnIntervalMoreIsAMissedRefresh() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.marks("game", at: [0, 14.9, 29.9, 64.9].map { Int64.ms($0) }, refresh: .ms(10))
    // 1.49, 1.5 and 3.5 intervals.
    #expect(figures(try builder.build()).missedRefreshes == 0 + 1 + 3)
  }

  /// Shown for 20 ms and for 12 ms in turns, begun evenly: the eye sees what no frame time target tells.
  @Test func theAnimationErrorIsOfWhatWasShown() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.frames(
      "screen", mode: .presented,
      (0..<10).map { number in
        let start = Int64(number) * .ms(16)
        var frame = Trace.Frame.displayLink(at: start, target: start + .ms(20), end: start + .ms(4))
        frame.interval = .ms(16)
        frame.presented = start + (number % 2 == 0 ? .ms(16) : .ms(20))
        return frame
      })
    let pacing = figures(try builder.build()).pacing
    #expect(pacing.measure == .animation)
    #expect(pacing.pairs == 9 && pacing.count == 9)
    #expect(pacing.errors?.median == .ms(4) && pacing.errors?.longest == .ms(4))
  }

  /// Scrolls of 100 ms, the second one inside the first; one of another series.
  @Test func activitiesAreJudgedEachForItselfAndPooledWithoutCountingTwice() throws {
    var builder = TraceBuilder()
    builder.track("main")
    // 10 ms each; the frames at 30 and at 70 ms take 10 ms more.
    builder.marks(
      "feed", at: [0, 10, 20, 30, 50, 60, 70, 90, 100].map { Int64.ms($0) }, refresh: .ms(10))
    builder.marks("other", at: [0, .ms(10)], refresh: .ms(10))
    let scroll = builder.name("scroll")
    let fling = builder.name("fling")
    var trace = try builder.build()
    trace.activities = [
      .init(name: scroll, range: 0..<(.ms(60)), series: 0),
      .init(name: scroll, range: .ms(20)..<(.ms(40))),
      .init(name: fling, range: .ms(60)..<(.ms(200))),
      .init(name: fling, range: 0..<(.ms(200)), series: 1),
    ]
    trace.activities[2].isUnfinished = true
    let found = figures(trace).activities
    #expect(found.map(\.name) == ["scroll", "fling"])
    let scrolls = found[0]
    #expect(scrolls.occurrences.map(\.frames) == [5, 2])
    #expect(scrolls.occurrences.map(\.hitches) == [1, 1])
    #expect(scrolls.occurrences[0].part == .init(hitchTime: .ms(10), activeTime: .ms(60)))
    #expect(scrolls.occurrences[1].part == .init(hitchTime: .ms(10), activeTime: .ms(30)))
    #expect(scrolls.spread.pooled == .init(hitchTime: .ms(10), activeTime: .ms(60)))
    #expect(scrolls.frames == 5 && scrolls.hitches == 1)
    #expect(scrolls.spread.count == 2 && scrolls.spread.p90 == nil)
    #expect(scrolls.spread.worst == 1000.0 / 3)
    let flings = found[1]
    #expect(flings.occurrences.count == 1)
    #expect(flings.occurrences[0].isUnfinished)
    #expect(flings.spread.pooled == .init(hitchTime: .ms(10), activeTime: .ms(40)))
  }

  /// Spans of 9 ms: 10 ms apart, or with the wait for the next within them.
  @Test(arguments: [9.0, 10])
  func nearMissesAreToldWhereWorkIsToldFromWaiting(_ length: Double) throws {
    var builder = TraceBuilder()
    builder.track("main")
    for number in 0..<30 {
      builder.span("frame", from: .ms(Double(number) * 10), to: .ms(Double(number) * 10 + length))
    }
    let trace = try builder.build()
    let series = try #require(trace.frames(named: "frame", refresh: .ms(10)))
    let figures = FrameFigures(of: series, in: trace)
    #expect(figures.hitches.count == 0)
    #expect(figures.nearMisses?.count == (length == 9 ? 30 : nil))
    #expect(figures.nearMisses?.known == (length == 9 ? 30 : nil))
    // The last span has no next one to be compared with.
    #expect(figures.pacing.pairs == 28)
    #expect(figures.pacing.count == 0)
  }

  @Test func absurdTimesStopNothing() throws {
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .ms(16), 1 << 61, .max - 1, .max]
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var series = Trace.FrameSeries(
        name: "absurd",
        mode: [.marks, .displayLink, .presented].randomElement(using: &random) ?? .marks)
      for number in 0..<12 {
        func pick() -> Int64 { edges.randomElement(using: &random) ?? 0 }
        var frame = Trace.Frame(number: number, timestamp: pick(), track: 0)
        frame.target = pick()
        frame.interval = pick()
        frame.begin = pick()
        frame.end = pick()
        frame.presented = Bool.random(using: &random) ? pick() : nil
        series.frames.append(frame)
      }
      var trace = Trace()
      trace.frameSeries = [series]
      let name = trace.names.intern("scroll")
      trace.activities = [
        .init(name: name, range: .min..<(.max)), .init(name: name, range: 0..<(1 << 61)),
      ]
      let figures = FrameFigures(of: series, in: trace)
      #expect(figures.hitchRatio >= 0 && figures.hitchRatio <= 1000, "seed \(seed)")
      #expect(figures.frameCount == 12)
    }
  }
}
