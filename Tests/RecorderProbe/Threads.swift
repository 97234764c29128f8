import Flamelark
import Foundation
import Synchronization

/// Threads that end in the middle of something, that are many, or that come in each other's way.
extension RecorderProbe {
  static var threadScenarios: [String: Scenario] {
    [
      "thread-exit": exitedThreads,
      "thread-cancel": cancelledThreads,
      "thread-vanish": vanishedThread,
      "short-threads": shortThreads,
      "second-start": secondStart,
      "hammer": startedAndStopped,
    ]
  }

  /// Threads that end themselves inside of spans.
  static func exitedThreads(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    run(threads: 20) { number in
      Recording.nameThread("exits")
      for _ in 0..<number * 300 { withSpan("work") {} }
      withSpan("outer") { withSpan("inner") { pthread_exit(nil) } }
    }
    withSpan("main") {}
    try recording.stop()
  }

  /// Threads that others end wherever they let themselves be ended, which is where buffers are
  /// written too.
  static func cancelledThreads(_ path: String) throws {
    alarm(60)
    let recording = try Recording.start(writingTo: path)
    for round in 0..<100 as Range<UInt32> {
      let begun = Atomic(false)
      let thread = SystemThread {
        Recording.nameThread("cancelled")
        withSpan("outer") {
          begun.store(true, ordering: .relaxed)
          while true {
            for _ in 0..<1000 { withSpan("work") {} }
            pthread_testcancel()
          }
        }
      }
      while !begun.load(ordering: .relaxed) { usleep(50) }
      usleep(round * 20)
      thread.cancel()
      thread.join()
    }
    withSpan("main") {}
    try recording.stop()
  }

  /// A thread that is gone without a word.
  static func vanishedThread(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let begun = Atomic(false)
    _ = SystemThread {
      Recording.nameThread("vanishes")
      for _ in 0..<5000 { withSpan("work") {} }
      withSpan("outer") {
        begun.store(true, ordering: .relaxed)
        CFunction.vanish()
      }
    }
    while !begun.load(ordering: .relaxed) { usleep(100) }
    usleep(10_000)
    withSpan("main") {}
    try recording.stop()
  }

  /// Many threads that live for some spans each, eight at a time.
  static func shortThreads(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let start = ContinuousClock.now
    run(threads: 8) { _ in
      for _ in 0..<500 {
        SystemThread {
          Recording.nameThread("short")
          for _ in 0..<20 { withSpan("job") {} }
        }.join()
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let attributes = try FileManager.default.attributesOfItem(atPath: path + ".live")
    print("live \(attributes[.size] as? Int ?? 0)")
    print("threads a second \(Int(4000 / seconds))")
    try recording.stop()
  }

  static func secondStart(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    withSpan("first") {
      do {
        _ = try Recording.start(writingTo: path + ".second")
        exit(66)
      } catch {
        print("error \(error)")
      }
      withSpan("after") {}
    }
    try recording.stop()
  }

  /// Recordings that one thread starts and stops while four others record whatever runs.
  static func startedAndStopped(_ path: String) throws {
    let isDone = Atomic(false)
    let threads = (0..<4).map { number in
      SystemThread {
        Recording.nameThread("worker \(number)")
        while !isDone.load(ordering: .relaxed) {
          withSpan("outer") {
            for _ in 0..<10 { withSpan("middle") { withSpan("inner") {} } }
          }
          // Half of them give way, so that recordings stay short; the others are interrupted anywhere.
          if number % 2 == 0 { sched_yield() }
        }
      }
    }
    var options = Recording.Options()
    options.handsOverFullBuffers = number("HAND_OVER") == 1
    options.minimumDuration = .nanoseconds(number("MINIMUM"))
    for index in 0..<number("RECORDINGS") {
      let recording = try Recording.start(writingTo: "\(path).\(index)", options: options)
      usleep(UInt32(index * 37 % 400))
      try recording.stop()
    }
    isDone.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
  }
}
