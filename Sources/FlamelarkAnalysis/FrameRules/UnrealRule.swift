/// Hitches of Unreal Engine's FPS charts.
///
/// A frame is a hitch if its time is at least 60 ms and more than 1.5 times that of the frame
/// before it, and the last hitch ended at least 200 ms before it ends.
///
/// Source: the console variables `t.HitchFrameTimeThreshold`, `t.HitchVersusNonHitchRatio`,
/// `t.HitchDeadTimeWindow` and `t.TargetFrameTimeThreshold`, and how the engine's ChartCreation.cpp
/// uses them.
struct UnrealRule: Sendable {
  var frameTimeThreshold: Int64 = 60_000_000
  /// In hundredths.
  var ratio: Int64 = 150
  var deadTime: Int64 = 200_000_000
  /// What a frame of a hitch would have taken anyway.
  var targetFrameTime: Int64 = 33_900_000
  /// From it on a frame's time is not charted.
  var longestCharted: Int64 = 1_000_000_000

  func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var hitches = FrameRule.Class("hitch")
    var (charted, hitching) = (Int64(0), Int64(0))
    var previous: Int64 = 0
    var lastHitch: Int64?
    let times = frames.frameTimes()
    for frame in times {
      // At first there is none.
      if !frame.follows { previous = 0 }
      defer { previous = frame.elapsed }
      if frame.elapsed < longestCharted { charted = charted.plus(frame.elapsed) }
      guard frame.elapsed >= frameTimeThreshold,
        Int128(frame.elapsed) * 100 > Int128(previous) * Int128(ratio),
        lastHitch.map({ frame.end.minus($0) >= deadTime }) ?? true
      else { continue }
      lastHitch = frame.end
      hitching = hitching.plus(frame.elapsed)
      hitches.frames.append(frame.number)
    }
    let usual = Int64(hitches.count).multipliedReportingOverflow(by: targetFrameTime)
    let lost = max(0, hitching.minus(usual.overflow ? .max : usual.partialValue))
    let mean = hitches.count > 0 ? Double(hitching) / Double(hitches.count) : nil
    return FrameRule.Outcome(
      rule: .unreal, time: .frameToFrame, judged: times.count, classes: [hitches],
      figures: [
        .rate("HitchesPerMinute", hitches.count, each: 60, in: charted, .perMinute),
        .milliseconds("average hitch", mean),
        .milliseconds("TotalTimeInHitchFrames", Double(hitching)),
        .percent("PercentSpentHitching", lost, of: charted),
      ])
  }
}
