#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A display of variable refresh that asks for frames. Times are ns since it began.
///
/// As on a phone, timestamps lie on the display's own refreshes: who misses one gets the next.
struct DisplayLink {
  struct Tick {
    let timestamp: Int64
    let target: Int64

    var interval: Int64 { target - timestamp }
  }

  enum Rate: Int64 {
    case hertz60 = 60
    case hertz80 = 80
    case hertz120 = 120

    var interval: Int64 { (1_000_000_000 + rawValue / 2) / rawValue }

    /// Fast movement is worth more frames.
    init(speed: Double) {
      self = speed > 400 ? .hertz120 : speed > 120 ? .hertz80 : .hertz60
    }
  }

  private let clock = SuspendingClock()
  private let start: SuspendingClock.Instant
  private var last: Tick?

  init() {
    start = clock.now
  }

  /// The instant of a time of this link.
  func instant(_ time: Int64) -> SuspendingClock.Instant {
    start.advanced(by: .nanoseconds(time))
  }

  /// Sleeps until the refresh that the next frame begins with. `rate` is for the frame that begins.
  mutating func nextTick(rate: Rate) -> Tick {
    var time = Self.refresh(after: last, at: now())
    sleep(until: time)
    // Who wakes up later still sees the newest refresh.
    time = Self.refresh(after: last, at: max(time, now() - (last?.interval ?? 0)))
    let tick = Tick(timestamp: time, target: time + rate.interval)
    last = tick
    return tick
  }

  /// The first refresh not before `time` that may begin the frame after `last`.
  static func refresh(after last: Tick?, at time: Int64) -> Int64 {
    guard let last else { return time }
    let missed = max(0, time - last.target)
    return last.target + (missed + last.interval - 1) / last.interval * last.interval
  }

  private func now() -> Int64 {
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private func sleep(until time: Int64) {
    var left = time - now()
    while left > 0 {
      var request = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      unsafe nanosleep(&request, nil)
      left = time - now()
    }
  }
}
