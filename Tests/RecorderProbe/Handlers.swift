import Flamelark
import Foundation
import Synchronization

extension RecorderProbe {
  static var handlerScenarios: [String: Scenario] {
    [
      "handlers": { try Handlers.run($0, .init()) },
      "handlers-folding": { try Handlers.run($0, .init(minimumDuration: .milliseconds(5))) },
      "handlers-handing-over": { try Handlers.run($0, .init(handsOverFullBuffers: true)) },
      "handlers-waits": Handlers.wait,
    ]
  }
}

/// A program that a timer interrupts tens of thousands of times, whose handler takes spans too.
enum Handlers {
  private static let handled = Atomic(0)
  private static let values = Counter("handled")

  private static func handler() {
    withSpan("handler") {
      withSpan("inside") {}
      values.record(1)
    }
    handled.add(1, ordering: .relaxed)
  }

  /// Prints how many spans the program made, and how often its handler ran.
  static func run(_ path: String, _ options: Recording.Options) throws {
    let recording = try Recording.start(writingTo: path, options: options)
    let frames = FrameSeries("loop", refresh: .hertz(60))
    // A call site that a thread meets first takes memory, which a handler may not.
    handler()
    signal(SIGALRM) { _ in Handlers.handler() }
    setTimer(microseconds: 20)
    let end = ContinuousClock.now + .seconds(30)
    var made = 0
    withSpan("around") {
      while handled.load(ordering: .relaxed) < 20_000 {
        for _ in 0..<100 { withSpan("work") { withSpan("nested") {} } }
        made += 100
        if ContinuousClock.now > end { exit(68) }
        frames.mark()
        withSpan("frame") {}
      }
    }
    setTimer(microseconds: 0)
    try recording.stop()
    print("\(made) \(handled.load(ordering: .relaxed))")
  }

  private static let point = WaitPoint()
  private static let job = Flow("job")

  private static func signalAndWait() {
    point.signal()
    withWait("handler waits", on: point) {}
    job.begin().end()
    handled.add(1, ordering: .relaxed)
  }

  /// The same with waits and links, of the program and of its handler.
  static func wait(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let lock = TracedMutex(0, "lock")
    signalAndWait()
    signal(SIGALRM) { _ in Handlers.signalAndWait() }
    setTimer(microseconds: 20)
    let end = ContinuousClock.now + .seconds(30)
    var made = 0
    withSpan("around") {
      while handled.load(ordering: .relaxed) < 20_000 {
        for _ in 0..<100 {
          withWait("work", on: point) { lock.withLock { $0 += 1 } }
          withWait("nested") { withWait("nested", on: point) {} }
        }
        made += 100
        if ContinuousClock.now > end { exit(68) }
      }
    }
    setTimer(microseconds: 0)
    try recording.stop()
    print("\(made) \(handled.load(ordering: .relaxed))")
  }

  private static func setTimer(microseconds: Int) {
    let interval = timeval(tv_sec: 0, tv_usec: microseconds)
    var timer = itimerval(it_interval: interval, it_value: interval)
    unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
