import Flamelark
import Foundation
import Synchronization

/// Processes that become several, or another program.
extension RecorderProbe {
  static var processes: [String: Scenario] {
    [
      "fork": forked,
      "fork-busy": forkedWhileBusy,
      "exec": executed,
      "exit-thread": exitedFromThread,
    ]
  }

  /// The child goes on with what its parent began, and must not be seen in the parent's file.
  static func forked(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    withSpan("parent") {
      let child = CFunction.fork()
      if child == 0 {
        for _ in 0..<10_000 { withSpan("child") {} }
        let own = try? Recording.start(writingTo: path + ".child")
        withSpan("child's own") {}
        try? own?.stop()
        exit(0)
      }
      var status: CInt = 0
      unsafe waitpid(child, &status, 0)
      if status != 0 { exit(66) }
    }
    try recording.stop()
  }

  /// Children of a process whose other threads fill and write buffers all the time. Every other one
  /// records to a file of its own; none may hang or write its parent's file.
  static func forkedWhileBusy(_ path: String) throws {
    var options = Recording.Options()
    options.handsOverFullBuffers = number("HAND_OVER") == 1
    let recording = try Recording.start(writingTo: path, options: options)
    let isDone = Atomic(false)
    let counts = Mutex<[Int]>([])
    let threads = (0..<3).map { _ in
      SystemThread {
        Recording.nameThread("busy")
        var count = 0
        while !isDone.load(ordering: .relaxed) {
          withSpan("work") {}
          count += 1
        }
        counts.withLock { $0.append(count) }
      }
    }
    for index in 0..<number("CHILDREN") {
      withSpan("parent") {
        let child = CFunction.fork()
        if child == 0 {
          // A child that waits for a lock that nobody gives back ends here, with a signal.
          alarm(20)
          for _ in 0..<5000 { withSpan("child") {} }
          if index % 2 == 0 {
            let own = try? Recording.start(writingTo: "\(path).\(index)", options: options)
            for _ in 0..<5000 { withSpan("child's own") {} }
            guard let own, (try? own.stop()) != nil else { _exit(68) }
          }
          // Half of them run what is to be run at the end of a program.
          if index % 4 < 2 { exit(0) } else { _exit(0) }
        }
        var status: CInt = 0
        unsafe waitpid(child, &status, 0)
        if status != 0 {
          print("child \(index) ended with \(status)")
          exit(66)
        }
      }
    }
    isDone.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
    try recording.stop()
    print("counts \(counts.withLock { $0.sorted() })")
  }

  static func executed(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    for _ in 0..<5000 { withSpan("work") {} }
    withSpan("outer") { CFunction.execute("/bin/true") }
  }

  /// The program ends in a thread that is in a span, while others are in theirs.
  static func exitedFromThread(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    let begun = Atomic(0)
    for _ in 0..<3 {
      _ = SystemThread {
        Recording.nameThread("waiting")
        for _ in 0..<100 { withSpan("work") {} }
        withSpan("open") {
          begun.add(1, ordering: .relaxed)
          while true { pause() }
        }
      }
    }
    _ = SystemThread {
      Recording.nameThread("ending")
      while begun.load(ordering: .relaxed) < 3 { usleep(100) }
      for _ in 0..<100 { withSpan("work") {} }
      withSpan("last") { exit(3) }
    }
    withSpan("main") { while true { pause() } }
  }
}
