import Flamelark
import FlamelarkTesting
import _FlamelarkTestSupport

/// A loop that says when its frames began, whatever the machine does meanwhile: what is measured of it
/// is known to the nanosecond. A frame of it may take 10 ms.
struct SimulatedLink {
  let frames: FrameSeries

  init(_ name: StaticString) { frames = FrameSeries(name, refresh: .every(.milliseconds(10))) }

  /// Frames that take so many milliseconds, and one more that nothing ends.
  func run(_ milliseconds: [Int]) {
    var time = SuspendingClock.now
    for length in milliseconds + [0] {
      frames.begin(timestamp: time, target: time + .milliseconds(10)).end()
      time += .milliseconds(length)
    }
  }
}

/// Measures while no other test records.
func measureAlone(
  iterations: Int = 1, skipping warmUp: WarmUp = .nothing, series: String? = nil,
  activity: String? = nil, options: Recording.Options = .init(),
  keepingTracesIn folder: String? = nil, _ body: () throws -> Void
) throws -> Hitches {
  try OneRecording.alone {
    try measureHitches(
      iterations: iterations, skipping: warmUp, series: series, activity: activity,
      options: options, keepingTracesIn: folder, body)
  }
}
