import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Files hold what anybody may have written.
@Suite struct AbsurdFrameTests {
  @Test(arguments: 1...500 as ClosedRange<UInt64>)
  func noTimesStopTheAnalysis(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func time() -> Int64 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .min
      case 1: .max
      case 2: Int64.random(in: Int64.min...Int64.max, using: &random)
      case 3: (1 << 60) * [-1, 1].randomElement(using: &random)!
      default: Int64.random(in: -1000...100_000_000, using: &random)
      }
    }
    var trace = Trace()
    trace.tracks = [Trace.Track(kind: .thread, name: "", processID: 1, threadID: 1)]
    let mode = [Trace.FrameSeries.Mode.presented, .displayLink, .marks].randomElement(
      using: &random)
    var series = Trace.FrameSeries(name: "absurd", mode: mode ?? .presented)
    for number in 0..<20 {
      var frame = Trace.Frame(number: number, timestamp: time(), track: 0)
      if Bool.random(using: &random) { frame.begin = time() }
      if Bool.random(using: &random) { frame.target = time() }
      if Bool.random(using: &random) { frame.end = time() }
      if Bool.random(using: &random) { frame.presented = time() }
      frame.isDiscarded = Bool.random(using: &random)
      frame.isRequested = [nil, true, false].randomElement(using: &random) ?? nil
      frame.beginsSegment = Int.random(in: 0..<5, using: &random) == 0
      series.frames.append(frame)
      if Int.random(in: 0..<4, using: &random) == 0 {
        let begin = time()
        series.rests.append(
          Trace.Rest(kind: .noFrameNeeded, frame: number, range: begin..<max(begin, time())))
      }
    }
    trace.frameSeries = [series]
    let judged = JudgedFrames(of: series, in: trace)
    #expect(judged.frames.count == 20)
    #expect(
      judged.frames.allSatisfy { $0.lateness >= 0 && $0.lateness <= $0.activeTime },
      "\(series.mode) \(judged.frames.filter { $0.lateness > $0.activeTime })")
    let blame = Blame(of: trace, series: series)
    #expect(blame.causes.total == judged.hitchTime, "seed \(seed)")
  }
}
