import Flamelark
import Foundation

/// Programs that record values, tracks and made names.
extension RecorderProbe {
  static var valueScenarios: [String: Scenario] {
    ["killed-with-values": killedWithValues]
  }

  private static func killedWithValues(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    let device = Track("device", ticksPerSecond: 1_000_000)
    withSpan(SpanName("level \(number("LEVEL"))", category: "levels")) {
      let bytes = SpanValue("bytes")
      for value in 0..<5000 as Range<Int64> {
        withSpan("part") { bytes.record(value) }
        device.record("pass", fromTicks: UInt64(value), toTicks: UInt64(value) + 1)
      }
      device.relate(ticks: 0, to: SuspendingClock.now)
      bytes.record(-1)
      kill(getpid(), SIGKILL)
    }
  }
}
