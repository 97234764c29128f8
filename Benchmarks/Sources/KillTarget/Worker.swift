import CLimit
import Flamelark
import KillLedger
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What one of the threads does, until the end.
struct Worker: Sendable {
  let mode: Mode
  let ledger: Ledger
  let number: Int

  private static let nextEntry = Atomic(0)
  /// Threads that do nothing more.
  static let resting = Atomic(0)

  func run() {
    if mode == .short { return runShortThreads() }
    Recording.nameThread("worker \(number)")
    let entry = ledger[number]
    withSpan("outer") {
      entry.state = .open
      switch mode {
      case .plain, .start, .short, .handOver, .tasks: plain(entry)
      case .nested: nested(entry)
      case .folded: folded(entry)
      case .mixed, .deep, .handOverSums: mixed(entry, passes: .max)
      case .stop:
        // The buffers are filled differently far, and so are the tables of sums.
        mixed(entry, passes: 1 + Int(getpid()) % 5000 * (number + 1))
        Self.resting.add(1, ordering: .acquiringAndReleasing)
        while true { pause() }
      }
    }
  }

  /// What a task does.
  func runTask() async {
    let entry = ledger[number]
    await withSpan(SpanName("worker \(number)")) {
      entry.state = .open
      var count: UInt64 = 0
      while true {
        await withSpan("work") {
          withSpan("inside") { outside_call() }
          if count % 8 == 0 { await Task.yield() }
        }
        count += 1
        entry.count = count
      }
    }
  }

  private func plain(_ entry: Entry) {
    var count: UInt64 = 0
    while true {
      withSpan("work") { outside_call() }
      count += 1
      entry.count = count
    }
  }

  private func nested(_ entry: Entry) {
    var count: UInt64 = 0
    func ended() {
      count += 1
      entry.count = count
    }
    while true {
      withSpan("pass") {
        withSpan("first") { outside_call() }
        ended()
        withSpan("second") {
          withSpan("inner") { outside_call() }
          ended()
        }
        ended()
      }
      ended()
    }
  }

  /// The ledger knows each moment at least as well as the recorder: what passed around the spans is
  /// stored before they are counted, what passed inside after it.
  private func folded(_ entry: Entry) {
    var (count, inside, around): (UInt64, UInt64, UInt64) = (0, 0, 0)
    while true {
      let before = limit_nanoseconds()
      entry.lastBegin = before
      let time = withSpan("short") {
        let begin = limit_nanoseconds()
        outside_call()
        return limit_nanoseconds() - begin
      }
      around += limit_nanoseconds() - before
      entry.around = around
      count += 1
      entry.count = count
      inside += time
      entry.inside = inside
    }
  }

  /// Each third pass is recorded; what is summed up in the others moves out of them.
  private func mixed(_ entry: Entry, passes: Int) {
    var count: UInt64 = 0
    func ended() {
      count += 1
      entry.count = count
    }
    for pass in 0..<passes {
      withSpan("pass") {
        withSpan("first") { outside_call() }
        ended()
        withSpan("second") {
          withSpan("inner") { outside_call() }
          ended()
        }
        ended()
        if pass % 3 == 2 {
          let end = limit_nanoseconds() + 2_000
          while limit_nanoseconds() < end {}
        }
      }
      ended()
    }
  }

  /// Each of these threads has a place of its own.
  private func runShortThreads() {
    while true {
      let index = Self.nextEntry.add(1, ordering: .relaxed).oldValue
      guard index < Ledger.threadCount else { return }
      let entry = ledger[index]
      let thread = startThread {
        Recording.nameThread("worker \(index)")
        withSpan("outer") {
          entry.state = .open
          for count in 1...UInt64(1 + index % 40) {
            withSpan("work") { outside_call() }
            entry.count = count
          }
        }
        entry.count += 1
        entry.state = .ended
      }
      pthread_join(thread, nil)
    }
  }
}
