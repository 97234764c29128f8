import Flamelark
import Foundation

/// A program that ends in the ways in which tests need programs to end.
///
///     RecorderProbe SCENARIO FILE
@main struct RecorderProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(64) }
    let path = arguments[2]
    switch arguments[1] {
    case "environment": try environment()
    case "exit": try exitWithoutStop(path)
    case "kill": try killed(path)
    case "kill-threads": try killedAfterThreads(path)
    case "kill-folding": try killedWhileFolding(path)
    case "short-calls": try shortCalls(path)
    case "kill-handing-over": try killed(path, .init(handsOverFullBuffers: true), spans: 50_000)
    case "signals": try Signals.run(path, .init())
    case "signals-folding": try Signals.run(path, .init(minimumDuration: .milliseconds(5)))
    case "signals-handing-over": try Signals.run(path, .init(handsOverFullBuffers: true))
    case "run": try runUntilTold(path)
    case "fork": try forked(path)
    case "threads": try threads(path)
    case "stop-in-span": try stopInSpan(path)
    case "hitch": try hitch(path)
    default: exit(64)
    }
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
  static func killed(_ path: String, _ options: Recording.Options = .init(), spans: Int = 5000)
    throws
  {
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

  /// A loop without a beat, in time unless the machine stands still; frame 7 is late.
  static func hitch(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let frames = FrameSeries("loop", refresh: .hertz(60))
    frames.mark()
    for pass in 0..<60 {
      withSpan("update") { spin(milliseconds: 1) }
      if pass == 7 {
        withSpan("save") { spin(milliseconds: 400) }
        frames.markHitch("saved")
      }
      frames.mark()
    }
    try recording.stop()
  }

  /// A loop whose frame 7 is late because it calls something short too often.
  static func shortCalls(_ path: String) throws {
    let recording = try Recording.start(
      writingTo: path, options: .init(minimumDuration: .milliseconds(100)))
    let frames = FrameSeries("loop", refresh: .hertz(60))
    withSpan("scan") {
      frames.mark()
      for pass in 0..<60 {
        let end = ContinuousClock.now + .milliseconds(pass == 7 ? 400 : 2)
        while ContinuousClock.now < end { withSpan("tiny") { spin(for: .microseconds(5)) } }
        frames.mark()
      }
    }
    try recording.stop()
  }

  private static func spin(milliseconds: Int) { spin(for: .milliseconds(milliseconds)) }

  private static func spin(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
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

  /// The child goes on with what its parent began, and must not be seen in the parent's file.
  static func forked(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    withSpan("parent") {
      // Swift hides fork; a program may call it from C.
      typealias Fork = @convention(c) () -> pid_t
      guard let symbol = unsafe dlsym(nil, "fork") else { exit(65) }
      let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
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
