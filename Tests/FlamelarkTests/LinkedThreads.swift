import CFlamelark
import Flamelark
import FlamelarkTrace
import Foundation
import Synchronization
import Testing

/// Runs `body` on so many threads at once, each with its number, named `t0`, `t1`, …, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      Recording.nameThread("t\(number)")
      body(number)
      group.leave()
    }
  }
  group.wait()
}

/// A thread that is about to wait for something, as another one sees it.
final class Sleeper: Sendable {
  private let systemID = Atomic(0)

  /// Says that the calling thread is about to wait.
  func isAboutToWait() { systemID.store(Int(fl_thread_id()), ordering: .releasing) }

  /// Waits until it does: the system has it asleep, and not for a moment.
  func waitUntilAsleep() {
    var times = 0
    while times < 5 {
      usleep(1000)
      let id = systemID.load(ordering: .acquiring)
      let state = try? String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8)
      times = state?.contains(") S ") == true ? times + 1 : 0
    }
  }
}

/// A thread that does one piece of work after the other.
final class SerialThread: @unchecked Sendable {
  // Unchecked: `jobs` under `lock`.
  private let lock = NSCondition()
  private var jobs: [(@Sendable () -> Void)?] = []

  init(_ name: String) {
    Thread.detachNewThread {
      Recording.nameThread(name)
      while let job = self.next() { job() }
    }
  }

  func add(_ job: @escaping @Sendable () -> Void) { put(job) }

  /// Does a piece of work and waits until it is done.
  func wait(for job: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    put {
      job()
      isDone.signal()
    }
    isDone.wait()
  }

  func end() { put(nil) }

  private func put(_ job: (@Sendable () -> Void)?) {
    lock.lock()
    jobs.append(job)
    lock.signal()
    lock.unlock()
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    while jobs.isEmpty { lock.wait() }
    return jobs.removeFirst()
  }
}

extension Trace {
  /// The waits of a row, in the order of time.
  func waits(ofTrack track: Int) -> [Wait] {
    waits.filter { tracks[track].spans.contains($0.span) }
  }

  /// The row of the thread `t` with this number.
  func row(ofThread number: Int) throws -> Int {
    try #require(tracks.firstIndex { $0.name == "t\(number)" }, "t\(number)")
  }

  /// The name of the thread that ended a wait, empty if it is not known.
  func ender(of wait: Wait) -> String { wait.endedByTrack.map { tracks[$0].name } ?? "" }

  /// The spans of a name, in the order of rows and time.
  func spans(named name: String) -> [Int] {
    (0..<spans.count).filter { self.name(ofSpan: $0) == name }
  }
}
