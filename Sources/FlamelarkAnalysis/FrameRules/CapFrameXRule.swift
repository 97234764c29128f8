/// The stuttering time of CapFrameX: what part of the time was taken by frames above 2.5 times the
/// average.
///
/// Source: the sources of CapFrameX, `FrametimeStatisticProvider`, methods
/// `GetStutteringCountPercentage` and `GetOnlineStutteringTimePercentage`.
struct CapFrameXRule: Sendable {
  /// How many times the average, in tenths.
  var factor: Int64 = 25

  func apply(to frames: JudgedFrames) -> FrameRule.Outcome {
    var stutter = FrameRule.Class("stuttering")
    let times = frames.displayTimes()
    let total = times.reduce(Int64(0)) { $0.plus($1.elapsed) }
    var stuttering: Int64 = 0
    for frame in times
    where Int128(frame.elapsed) * Int128(times.count) * 10 > Int128(total) * Int128(factor) {
      stuttering = stuttering.plus(frame.elapsed)
      stutter.frames.append(frame.number)
    }
    return FrameRule.Outcome(
      rule: .capFrameX, time: frames.displayTime, judged: times.count, classes: [stutter],
      figures: [
        .percent("stuttering time", stuttering, of: total),
        .percent("stuttering frames", stutter.count, of: times.count),
      ])
  }
}
