import Flamelark
import Foundation

/// Ways to end.
extension RecorderProbe {
  static var endings: [String: Scenario] {
    [
      "environment": { _ in try environment() },
      "exit": exitWithoutStop,
      "kill": { try killed($0, spans: 5000) },
      "kill-handing-over": { try killed($0, .init(handsOverFullBuffers: true), spans: 50_000) },
      "kill-threads": killedAfterThreads,
      "kill-folding": killedWhileFolding,
      "run": runUntilTold,
      "threads": threads,
      "stop-in-span": stopInSpan,
    ]
  }

  /// The one line of a program that is recorded from outside.
  static func environment() throws {
    let recording = try Recording.startIfRequested()
    withSpan("work") {}
    print(recording?.path ?? "not recorded")
  }

  static func exitWithoutStop(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    for _ in 0..<10 { withSpan("work") {} }
    withSpan("open") { exit(7) }
  }

  /// More than one chunk, then something open, then the end that no program sees coming.
  static func killed(
    _ path: String, _ options: Recording.Options = .init(), spans: Int
  ) throws {
    _ = try Recording.start(writingTo: path, options: options)
    let frames = FrameSeries("loop", refresh: .hertz(60))
    frames.mark()
    for _ in 0..<spans { withSpan("work") {} }
    frames.mark()
    withSpan("outer") {
      withSpan("done") {}
      withSpan("inner") { _ = kill(getpid(), SIGKILL) }
    }
  }

  /// What short threads leave is written together; some of it waits when the end comes.
  static func killedAfterThreads(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    for _ in 0..<13 {
      var thread = pthread_t()
      unsafe pthread_create(
        &thread, nil,
        { _ in
          for _ in 0..<20 { withSpan("job") {} }
          return nil
        }, nil)
      pthread_join(thread, nil)
    }
    _ = kill(getpid(), SIGKILL)
  }

  /// Sums that are not written yet when the end comes.
  static func killedWhileFolding(_ path: String) throws {
    _ = try Recording.start(
      writingTo: path, options: .init(minimumDuration: .seconds(10)))
    withSpan("outer") {
      for _ in 0..<1000 { withSpan("short") {} }
      _ = kill(getpid(), SIGKILL)
    }
  }

  /// Records until its standard input ends.
  static func runUntilTold(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    for _ in 0..<100 { withSpan("work") {} }
    withSpan("waiting") {
      print("ready")
      fflush(nil)
      _ = readLine()
    }
    try recording.stop()
  }

  /// Threads that end early, and one that is still in a span when the program returns.
  static func threads(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    for number in 0..<40 {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { _ in
          Recording.nameThread("worker")
          for _ in 0..<100 { withSpan("job") {} }
          return nil
        }, nil)
      guard code == 0 else { exit(67) }
      if number % 4 != 0 { pthread_join(thread, nil) } else { pthread_detach(thread) }
    }
    usleep(100_000)
    withSpan("main") {}
  }

  static func stopInSpan(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    try withSpan("outer") {
      try withSpan("inner") {
        try recording.stop()
        try recording.stop()
      }
      withSpan("unrecorded") {}
    }
    let second = try Recording.start(writingTo: path)
    withSpan("second") {}
    try second.stop()
    print(second.path)
  }
}
