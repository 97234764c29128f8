import Foundation
import Synchronization

/// What a program itself says of who worked and who waited, a line a fact, on its own clock.
///
///     mark TIME                                the loop ended a pass
///     late FRAME                               this frame has the long work
///     work FRAME NAME FROM TO                  a thread or task worked
///     wait FRAME NAME FROM TO                  one waited, for what the name says
final class ChainLog: Sendable {
  private let lines = Mutex<[String]>([])

  func mark() { say("mark \(Self.now())") }

  func late(_ frame: Int) { say("late \(frame)") }

  func work(_ frame: Int, _ name: String, from start: Int64, to end: Int64) {
    say("work \(frame) \(name) \(start) \(end)")
  }

  func wait(_ frame: Int, _ name: String, from start: Int64, to end: Int64) {
    say("wait \(frame) \(name) \(start) \(end)")
  }

  func show() {
    for line in lines.withLock({ $0 }) { print(line) }
  }

  private func say(_ line: String) { lines.withLock { $0.append(line) } }

  /// CLOCK_MONOTONIC in nanoseconds.
  static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
