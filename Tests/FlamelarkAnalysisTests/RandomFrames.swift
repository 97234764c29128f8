import FlamelarkAnalysis
import FlamelarkTrace
import _FlamelarkTestSupport

/// Loops of every mode, with stalls, changes of rate, pauses, rests, breaks and dropped frames.
struct RandomFrames {
  private(set) var trace: Trace
  var series: Trace.FrameSeries { trace.frameSeries[0] }

  /// A loop. Its times are multiples of `unit`, which is 1 µs or longer.
  init(seed: UInt64, unit: Int64 = 1_000) throws {
    var random = SeededGenerator(seed: seed)
    let modes: [Trace.FrameSeries.Mode] = [.marks, .displayLink, .presented, .spans]
    let mode = modes.randomElement(using: &random) ?? .marks
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var rests: [Trace.Rest] = []
    func time(_ milliseconds: ClosedRange<Int64>) -> Int64 {
      Int64.random(
        in: milliseconds.lowerBound * 1000...milliseconds.upperBound * 1000, using: &random)
        * unit
    }
    var now = time(0...1000)
    var interval = 16_000 * unit
    var shown = now
    // In a pipeline targets lie further ahead.
    let ahead = mode == .presented ? Int64.random(in: 1...2, using: &random) : 1
    for number in 0..<Int.random(in: 0...70, using: &random) {
      if Int.random(in: 0..<10, using: &random) == 0 {
        interval =
          [8_000, 12_000, 16_000, 20_000].randomElement(using: &random).map { $0 * unit }
          ?? interval
      }
      var frame = Trace.Frame(number: number, timestamp: now, track: 0)
      frame.target = now + interval * ahead
      frame.interval = interval
      // Long times come one by one and in rows, so that the means of three differ.
      var elapsed = interval
      switch Int.random(in: 0..<12, using: &random) {
      case 0...1: elapsed = time(20...140)
      case 2: elapsed = time(60...1200)
      case 3: elapsed = time(0...20)
      case 4: elapsed = interval * Int64.random(in: 2...6, using: &random)
      default: break
      }
      // A twelfth of a long time looks like a rest.
      let part: Int64 = [1, 3, 12].randomElement(using: &random) ?? 1
      let work = elapsed / unit / part * unit
      if mode != .marks, Int.random(in: 0..<6, using: &random) > 0 { frame.end = now + work }
      frame.isRequested = [nil, true, true].randomElement(using: &random) ?? nil
      if Int.random(in: 0..<15, using: &random) == 0 { frame.isRequested = false }
      frame.beginsSegment = Int.random(in: 0..<20, using: &random) == 0
      switch mode {
      case .spans:
        frame.span = number
        frame.end = nil
        builder.span("frame", from: now, to: now + work) { _ in }
      case .presented:
        switch Int.random(in: 0..<10, using: &random) {
        case 0: frame.isDiscarded = true
        case 1: break
        default:
          shown = max(shown + unit, now + interval + (elapsed > interval ? elapsed - interval : 0))
          frame.presented = shown
        }
      case .marks, .displayLink: break
      }
      if mode != .spans, Int.random(in: 0..<20, using: &random) == 0 {
        let begin = now + elapsed
        elapsed += time(0...400)
        rests.append(
          Trace.Rest(
            kind: Bool.random(using: &random) ? .paused : .noFrameNeeded, frame: number,
            range: begin..<(now + elapsed)))
      }
      frames.append(frame)
      now += elapsed
    }
    builder.frames("loop", mode: mode, frames)
    trace = try builder.build()
    trace.frameSeries[0].rests = rests
  }

  /// The frames, judged.
  var judged: JudgedFrames { JudgedFrames(of: series, in: trace) }
}
