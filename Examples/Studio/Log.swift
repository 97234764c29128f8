import Flamelark
import Foundation
import Synchronization

/// What the program itself says that it did, a line a fact: what the trace says can be held against it.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func say(_ facts: Any...) {
    let line = facts.map { "\($0)" }.joined(separator: "\t")
    lines.withLock { $0.append(line) }
  }

  func write(to path: String) throws {
    let text = lines.withLock { $0.joined(separator: "\n") + "\n" }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}

/// The system's number of the calling thread.
func threadID() -> Int {
  // Where the system says which thread asks.
  let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
  return Int(path.split(separator: "/").last ?? "0") ?? 0
}

/// CLOCK_MONOTONIC in nanoseconds.
func now() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
