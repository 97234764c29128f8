import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// The invariants of lateness that hold where an end stands against a target, on random loops.
@Suite struct FrameInvariantTests {
  static let seeds = Array<UInt64>(1...200)

  func judge(_ series: Trace.FrameSeries) -> JudgedFrames {
    JudgedFrames(of: series, in: Trace())
  }

  /// A loop with stalls, changes of rate, breaks, rest, and targets that are missing.
  func randomSeries(seed: UInt64, everyTargetGiven: Bool = false) -> Trace.FrameSeries {
    var random = SeededGenerator(seed: seed)
    let mode = [Trace.FrameSeries.Mode.marks, .displayLink].randomElement(using: &random) ?? .marks
    let refresh = [nil, Int64.ms(8), .ms(20)].randomElement(using: &random) ?? nil
    var series = Trace.FrameSeries(name: "loop", mode: mode, refresh: refresh)
    var now = Int64.random(in: 0...1_000_000_000, using: &random)
    var interval = Int64.ms(16)
    for number in 0..<Int.random(in: 0...60, using: &random) {
      var frame = Trace.Frame(number: number, timestamp: now, track: 0)
      if Int.random(in: 0..<10, using: &random) == 0 {
        interval = [.ms(8), .ms(12), .ms(16)].randomElement(using: &random) ?? interval
      }
      if everyTargetGiven || Int.random(in: 0..<4, using: &random) > 0 {
        frame.target = now + interval
      }
      if Int.random(in: 0..<3, using: &random) > 0 {
        frame.end = now + Int64.random(in: 0...interval, using: &random)
      }
      frame.beginsSegment = Int.random(in: 0..<12, using: &random) == 0
      if Int.random(in: 0..<12, using: &random) == 0 { frame.isRequested = false }
      series.frames.append(frame)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: now += Int64.random(in: 0...interval * 30, using: &random)
      case 1: break
      default: now += interval + Int64.random(in: -50_000...1_000_000, using: &random)
      }
    }
    return series
  }

  @Test(arguments: seeds) func latenessIsNeverNegativeAndNeverMoreThanActiveTime(seed: UInt64) {
    let judged = judge(randomSeries(seed: seed))
    #expect(judged.frames.allSatisfy { $0.lateness >= 0 }, "I1, seed \(seed)")
    #expect(judged.frames.allSatisfy { $0.lateness <= $0.activeTime }, "I2, seed \(seed)")
    #expect(judged.hitchTime <= judged.activeTime, "I2, seed \(seed)")
    #expect((0...1000).contains(judged.hitchRatio), "I2, seed \(seed)")
    #expect(
      judged.frames.allSatisfy { $0.lateness == 0 || $0.isCountable && !$0.isIdle },
      "seed \(seed)")
  }

  /// The tolerance has a floor and a display link a range; above the one and within the other, time
  /// is only a unit.
  @Test(arguments: seeds) func aSlowerClockScalesEverything(seed: UInt64) {
    let series = randomSeries(seed: seed, everyTargetGiven: true)
    // 8 ms and more: 3 % of them is 0.24 ms, so four times as much is above the floor of 0.25 ms.
    let whole = judge(scaled(series, by: 4))
    let double = judge(scaled(series, by: 8))
    #expect(double.frames.map(\.lateness) == whole.frames.map { $0.lateness * 2 }, "seed \(seed)")
    #expect(double.activeTime == whole.activeTime * 2, "I3, seed \(seed)")
    #expect(double.idleTime == whole.idleTime * 2, "I3, seed \(seed)")
    #expect(abs(double.hitchRatio - whole.hitchRatio) < 1e-9, "I3, seed \(seed)")
  }

  private func scaled(_ series: Trace.FrameSeries, by factor: Int64) -> Trace.FrameSeries {
    var series = series
    series.refresh = series.refresh.map { $0 * factor }
    for index in series.frames.indices {
      series.frames[index].timestamp *= factor
      series.frames[index].begin *= factor
      series.frames[index].target = series.frames[index].target.map { $0 * factor }
      series.frames[index].end = series.frames[index].end.map { $0 * factor }
    }
    return series
  }

  @Test(arguments: seeds) func aChangeOfRateAloneAddsNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var series = Trace.FrameSeries(name: "loop", mode: .displayLink)
    var now: Int64 = 0
    for number in 0..<50 {
      let interval = Int64.ms([8.333, 12.5, 16.667, 100].randomElement(using: &random) ?? 10)
      var frame = Trace.Frame(number: number, timestamp: now, track: 0)
      frame.target = now + interval
      series.frames.append(frame)
      now += interval
    }
    #expect(judge(series).hitchTime == 0, "I4, seed \(seed)")
  }

  @Test(arguments: seeds) func restAddsNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let series = randomSeries(seed: seed, everyTargetGiven: true)
    guard !series.frames.isEmpty else { return }
    let place = Int.random(in: 0..<series.frames.count, using: &random)
    let length = Int64.random(in: 0...10_000_000_000, using: &random)
    // A frame that nobody asked for stands before `place`; what comes then comes that much later.
    var rest = Trace.Frame(number: place, timestamp: series.frames[place].timestamp, track: 0)
    rest.isRequested = false
    rest.target = rest.timestamp + .ms(8)
    rest.beginsSegment = series.frames[place].beginsSegment
    var resting = series
    for index in place..<series.frames.count { resting.frames[index].shift(by: length) }
    resting.frames[place].beginsSegment = false
    resting.frames.insert(rest, at: place)
    for index in resting.frames.indices { resting.frames[index].number = index }
    let (before, after) = (judge(series), judge(resting))
    #expect(after.hitchTime == before.hitchTime, "I5, seed \(seed)")
    #expect(after.activeTime == before.activeTime, "I5, seed \(seed)")
    #expect(after.idleTime == before.idleTime + length, "I5, seed \(seed)")
  }

  @Test(arguments: seeds) func twoHalvesAreTheWholeWithoutTheFrameBetween(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let series = randomSeries(seed: seed, everyTargetGiven: true)
    guard series.frames.count > 1 else { return }
    let cut = Int.random(in: 1..<series.frames.count, using: &random)
    var (front, back) = (series, series)
    front.frames.removeLast(series.frames.count - cut)
    back.frames.removeFirst(cut)
    let (whole, first, second) = (judge(series), judge(front), judge(back))
    let between = whole.frames[cut - 1]
    #expect(
      first.hitchTime + second.hitchTime == whole.hitchTime - between.lateness, "I7, seed \(seed)")
    #expect(
      first.activeTime + second.activeTime == whole.activeTime - between.activeTime,
      "I7, seed \(seed)")
  }
}

extension Trace.Frame {
  fileprivate mutating func shift(by time: Int64) {
    timestamp += time
    begin += time
    target = target.map { $0 + time }
    end = end.map { $0 + time }
  }
}
