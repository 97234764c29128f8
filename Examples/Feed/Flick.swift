#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A finger throws the feed; it slows down by itself. Times are ns, places are points.
struct Flick {
  let start: Int64
  let origin: Double
  /// Points a second at the start.
  let speed: Double

  /// Speed falls to 1/e in this many seconds.
  static let decay = 0.5
  /// Slower than this it stops.
  static let leastSpeed = 60.0

  func offset(at time: Int64) -> Double {
    origin + speed * Self.decay * (1 - exp(-seconds(at: time) / Self.decay))
  }

  func speed(at time: Int64) -> Double {
    speed * exp(-seconds(at: time) / Self.decay)
  }

  func isOver(at time: Int64) -> Bool {
    time >= end
  }

  /// When it has become so slow.
  var end: Int64 {
    start + Int64(Self.decay * log(max(1, speed / Self.leastSpeed)) * 1e9)
  }

  private func seconds(at time: Int64) -> Double {
    Double(max(0, time - start)) / 1e9
  }
}
