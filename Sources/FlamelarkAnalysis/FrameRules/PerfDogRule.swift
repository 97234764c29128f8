/// Jank, BigJank and Stutter of PerfDog, a tool of Tencent's WeTest.
///
/// A frame is Jank if its time is more than twice the mean of the three before it and more than two
/// frames of a film; BigJank if it is more than three of them. Stutter is the part of the time that
/// janks took.
///
/// Source: PerfDog's help on its parameters and "Notes for jank and stutter" of WeTest's
/// documentation.
struct PerfDogRule: Sendable {
  /// Two frames of a film of 24 Hz, as the help rounds them: five refreshes of 60 Hz stay below.
  var jankThreshold: Int64 = 84_000_000
  /// Three of them.
  var bigJankThreshold: Int64 = 125_000_000

  func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var jank = FrameRule.Class("Jank")
    var bigJank = FrameRule.Class("BigJank", partOf: "Jank")
    var (total, janked) = (Int64(0), Int64(0))
    var run = LastThree()
    let times = frames.displayTimes()
    for frame in times {
      if !frame.follows { run = LastThree() }
      defer { run.add(frame.elapsed) }
      total = total.plus(frame.elapsed)
      // Above twice the mean: three times it is above twice their sum.
      guard frame.elapsed > jankThreshold, let sum = run.sum, Int128(frame.elapsed) * 3 > sum * 2
      else {
        continue
      }
      janked = janked.plus(frame.elapsed)
      jank.frames.append(frame.number)
      if frame.elapsed > bigJankThreshold { bigJank.frames.append(frame.number) }
    }
    return FrameRule.Outcome(
      rule: .perfDog, time: frames.displayTime, judged: times.count, classes: [jank, bigJank],
      figures: [
        .percent("Stutter", janked, of: total),
        .rate("Jank", jank.count, each: 600, in: total, .perTenMinutes),
        .rate("BigJank", bigJank.count, each: 600, in: total, .perTenMinutes),
      ])
  }

  /// The times of up to three frames.
  private struct LastThree {
    private var times: (Int64, Int64, Int64) = (0, 0, 0)
    private var count = 0

    /// Their sum, nil while there are fewer.
    var sum: Int128? { count < 3 ? nil : Int128(times.0) + Int128(times.1) + Int128(times.2) }

    mutating func add(_ time: Int64) {
      times = (times.1, times.2, time)
      count = min(3, count + 1)
    }
  }
}
