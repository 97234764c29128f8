import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// The invariants of lateness where it is known when frames were shown, on random streams.
@Suite struct ShownFrameInvariantTests {
  static let seeds = Array<UInt64>(1...300)

  /// What may happen in a stream.
  struct Kinds: OptionSet {
    let rawValue: Int
    static let dropped = Kinds(rawValue: 1)
    static let untold = Kinds(rawValue: 2)
    static let breaks = Kinds(rawValue: 4)
    static let rests = Kinds(rawValue: 8)
    static let disorder = Kinds(rawValue: 16)
    static let everything: Kinds = [.dropped, .untold, .breaks, .rests, .disorder]
  }

  private func judge(_ series: Trace.FrameSeries) -> JudgedFrames {
    JudgedFrames(of: series, in: Trace())
  }

  /// Frames due on a grid of changing rates and shown on it: in time, or some intervals late.
  private func stream(seed: UInt64, _ kinds: Kinds, grid: Int64 = .ms(8)) -> Trace.FrameSeries {
    var random = SeededGenerator(seed: seed)
    var series = Trace.FrameSeries(name: "screen", mode: .presented)
    var now = grid * Int64.random(in: 0...100, using: &random)
    var interval = grid
    var queued: Int64 = 0
    var last = now
    for number in 0..<Int.random(in: 0...80, using: &random) {
      if Int.random(in: 0..<10, using: &random) == 0 {
        interval = grid * Int64.random(in: 1...3, using: &random)
      }
      var frame = Trace.Frame(number: number, timestamp: now, track: 0)
      frame.target = now + interval
      frame.interval = interval
      switch Int.random(in: 0..<8, using: &random) {
      case 0: queued += grid * Int64.random(in: 1...4, using: &random)
      case 1...3: queued = max(0, queued - grid)
      default: break
      }
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where kinds.contains(.dropped): frame.isDiscarded = true
      case 1 where kinds.contains(.untold): break
      default:
        let shown = now + interval + queued
        frame.presented = kinds.contains(.disorder) ? shown : max(shown, last + grid)
        last = frame.presented ?? last
      }
      if kinds.contains(.breaks) {
        frame.beginsSegment = Int.random(in: 0..<15, using: &random) == 0
      }
      if kinds.contains(.rests) {
        if Int.random(in: 0..<15, using: &random) == 0 { frame.isRequested = false }
        if Int.random(in: 0..<15, using: &random) == 0 {
          let rest = grid * Int64.random(in: 1...500, using: &random)
          series.rests.append(
            Trace.Rest(kind: .noFrameNeeded, frame: number, range: now..<now + rest))
          now += rest
        }
      }
      if kinds.contains(.disorder), Int.random(in: 0..<10, using: &random) == 0 {
        frame.presented = frame.presented.map {
          $0 - grid * Int64.random(in: 0...10, using: &random)
        }
      }
      series.frames.append(frame)
      now += interval
    }
    return series
  }

  @Test(arguments: seeds) func latenessIsNeverNegativeAndNeverMoreThanActiveTime(seed: UInt64) {
    let judged = judge(stream(seed: seed, .everything))
    #expect(judged.frames.allSatisfy { $0.lateness >= 0 && $0.idleTime >= 0 }, "I1, seed \(seed)")
    #expect(judged.frames.allSatisfy { $0.lateness <= $0.activeTime }, "I2, seed \(seed)")
    #expect((0...1000).contains(judged.hitchRatio), "I2, seed \(seed)")
    #expect(
      judged.frames.allSatisfy { $0.lateness == 0 || $0.isCountable && !$0.isIdle },
      "seed \(seed)")
  }

  /// From 16 ms on, 3 % of an interval is above the floor of the tolerance.
  @Test(arguments: seeds) func aSlowerClockScalesEverything(seed: UInt64) {
    let whole = judge(stream(seed: seed, .everything, grid: .ms(16)))
    let double = judge(stream(seed: seed, .everything, grid: .ms(32)))
    #expect(double.frames.map(\.lateness) == whole.frames.map { $0.lateness * 2 }, "seed \(seed)")
    #expect(double.activeTime == whole.activeTime * 2, "I3, seed \(seed)")
    #expect(double.idleTime == whole.idleTime * 2, "I3, seed \(seed)")
  }

  @Test(arguments: seeds) func aChangeOfRateAloneAddsNothing(seed: UInt64) {
    var series = stream(seed: seed, [])
    for index in series.frames.indices {
      series.frames[index].presented = series.frames[index].target
    }
    #expect(judge(series).hitchTime == 0, "I4, seed \(seed)")
  }

  /// Behind a frame that was shown in time; a queue that was late before is late anew after a rest.
  @Test(arguments: seeds) func restAddsNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let series = stream(seed: seed, [.dropped, .untold])
    let length = Int64.random(in: 0...10_000_000_000, using: &random)
    let places = series.frames.indices.dropLast().filter { index in
      series.frames[index].presented.map { $0 <= series.frames[index].target ?? 0 } ?? false
    }
    guard let place = places.randomElement(using: &random) else { return }
    var resting = series
    let begin = series.frames[place + 1].timestamp
    resting.rests = [.init(kind: .noFrameNeeded, frame: place, range: begin..<begin + length)]
    for index in series.frames.indices where index > place {
      resting.frames[index].timestamp += length
      resting.frames[index].begin += length
      resting.frames[index].target? += length
      resting.frames[index].presented? += length
    }
    let (before, after) = (judge(series), judge(resting))
    #expect(after.hitchTime == before.hitchTime, "I5, seed \(seed)")
    guard series.frames[(place + 1)...].contains(where: { $0.presented != nil }) else { return }
    #expect(
      after.activeTime + after.idleTime == before.activeTime + length, "I5, seed \(seed)")
  }

  @Test(arguments: seeds) func constantLatenessIsOneHitchAndThenLatency(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var series = stream(seed: seed, [])
    guard series.frames.count > 2 else { return }
    let first = Int.random(in: 1..<series.frames.count, using: &random)
    let late = Int64.random(in: 1_000_000...100_000_000, using: &random)
    for index in series.frames.indices {
      series.frames[index].presented =
        series.frames[index].timestamp + (series.frames[index].interval ?? 0)
        + (index < first ? 0 : late)
    }
    let judged = judge(series)
    #expect(judged.frames.map(\.lateness).filter { $0 > 0 } == [late], "I6, seed \(seed)")
    #expect(judged.frames[first].lateness == late, "I6, seed \(seed)")
    #expect(judged.latency.frames == series.frames.count - first - 1, "I6, seed \(seed)")
    #expect(judged.latency.mean == (judged.latency.frames > 0 ? late : 0), "I6, seed \(seed)")
  }

  @Test(arguments: seeds) func twoPartsAreTheWholeWithoutTheFirstShownOfTheSecond(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let series = stream(seed: seed, [.dropped, .untold, .breaks, .rests])
    guard series.frames.count > 1 else { return }
    let cut = Int.random(in: 1..<series.frames.count, using: &random)
    var (front, back) = (series, series)
    front.frames.removeLast(series.frames.count - cut)
    front.rests.removeAll { $0.frame ?? 0 >= cut }
    back.frames.removeFirst(cut)
    for index in back.frames.indices { back.frames[index].number = index }
    back.rests = series.rests.compactMap { rest in
      var rest = rest
      rest.frame = rest.frame.map { $0 - cut }
      return rest.frame ?? -1 < 0 ? nil : rest
    }
    // A frame that nobody asked for makes no beginning.
    let shown = series.frames[cut...].first { $0.presented != nil && $0.isRequested != false }
    let between = shown?.number
    let (whole, first, second) = (judge(series), judge(front), judge(back))
    #expect(
      first.hitchTime + second.hitchTime
        == whole.hitchTime - (between.map { whole.frames[$0].lateness } ?? 0), "I7, seed \(seed)")
    #expect(
      first.activeTime + second.activeTime
        == whole.activeTime - (between.map { whole.frames[$0].activeTime } ?? 0),
      "I7, seed \(seed)")
  }

  /// A display link tells nothing but when frames begin: each is shown where the next begins, and due
  /// one interval behind where the one before was shown.
  @Test func withTargetsSetAnewByEachFrameItIsTheRuleOfADisplayLink() {
    for seed in 1...2000 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var link = Trace.FrameSeries(name: "link", mode: .displayLink)
      var shown = Trace.FrameSeries(name: "shown", mode: .presented)
      var now = Int64.random(in: 0...1_000_000_000, using: &random)
      for number in 0..<Int.random(in: 2...60, using: &random) {
        let interval = Int64.random(in: 1_000_000...100_000_000, using: &random)
        var frame = Trace.Frame(number: number, timestamp: now, track: 0)
        frame.target = now + interval
        frame.beginsSegment = Int.random(in: 0..<20, using: &random) == 0
        link.frames.append(frame)
        var other = Trace.Frame(number: number, timestamp: now, track: 0)
        // Frame k is shown when frame k of the link begins, due when frame k − 1 of it is.
        other.presented = now
        if number > 0, let before = link.frames[number - 1].target {
          other.timestamp = link.frames[number - 1].timestamp
          other.target = before
        }
        other.beginsSegment = frame.beginsSegment
        shown.frames.append(other)
        now +=
          Bool.random(using: &random)
          ? interval + Int64.random(in: 0...300_000, using: &random)
          : Int64.random(in: 0...interval * 4, using: &random)
      }
      let (ofLink, ofShown) = (judge(link), judge(shown))
      #expect(
        ofShown.frames.dropFirst().map(\.lateness) == ofLink.frames.dropLast().map(\.lateness),
        "I8, seed \(seed)")
      #expect(ofShown.activeTime == ofLink.activeTime, "I8, seed \(seed)")
    }
  }

  @Test func twoStallsOnAFixedGridCountTwice() {
    let interval: Int64 = 16_666_667
    var series = Trace.FrameSeries(name: "screen", mode: .presented)
    for number in 0..<40 {
      var frame = Trace.Frame(number: number, timestamp: Int64(number) * interval, track: 0)
      frame.target = frame.timestamp + interval
      let late: Int64 = number < 10 ? 0 : number < 25 ? 1 : 2
      frame.presented = frame.timestamp + interval + late * interval
      series.frames.append(frame)
    }
    let judged = judge(series)
    #expect(judged.hitchTime == 2 * interval, "I9")
    #expect(judged.frames.filter { $0.lateness > 0 }.map(\.number) == [10, 25], "I9")
  }

  /// The formula, frame by frame, where it is known of each whether it was shown.
  @Test(arguments: seeds) func theRuleIsTheFormula(seed: UInt64) {
    let series = stream(seed: seed, .dropped)
    let judged = judge(series)
    for (index, frame) in series.frames.enumerated() {
      var expected: Int64 = 0
      if let shown = frame.presented,
        let before = series.frames[..<index].lastIndex(where: { $0.presented != nil }),
        let shownBefore = series.frames[before].presented,
        let target = series.frames[before + 1].target,
        let interval = series.frames[before + 1].interval
      {
        expected = max(0, shown - max(target, shownBefore + interval))
      }
      // Times are on a grid of 8 ms: nothing is within the tolerance.
      #expect(judged.frames[index].lateness == expected, "frame \(index), seed \(seed)")
    }
    #expect(
      judged.dropped == series.frames.filter(\.isDiscarded).map(\.number), "seed \(seed)")
  }

  /// Whatever nobody tells of, the frames that were told are no later for it.
  @Test(arguments: seeds) func whatIsNotToldMakesNoHitch(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let series = stream(seed: seed, .dropped)
    var part = series
    for index in part.frames.indices where Int.random(in: 0..<3, using: &random) == 0 {
      part.frames[index].presented = nil
      part.frames[index].isDiscarded = false
    }
    let (whole, told) = (judge(series), judge(part))
    #expect(told.hitchTime <= whole.hitchTime, "seed \(seed)")
    // Where all were in time, none is late.
    for index in part.frames.indices where part.frames[index].presented != nil {
      part.frames[index].presented = part.frames[index].target
    }
    for index in part.frames.indices where part.frames[index].isDiscarded {
      part.frames[index].isDiscarded = false
    }
    #expect(judge(part).hitchTime == 0, "seed \(seed)")
  }
}
