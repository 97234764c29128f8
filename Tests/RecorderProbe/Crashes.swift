import Flamelark
import Foundation

/// Programs that crash inside of spans.
extension RecorderProbe {
  static var crashes: [String: Scenario] {
    [
      "fatal-error": { path in
        try crash(path) { fatalError("as the test wants it") }
      },
      "trap": { path in
        try crash(path) { _ = [1, 2, 3].dropFirst(number("DROPPED"))[0] }
      },
      "null": { path in
        try crash(path) { unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
      },
      "overflow": { path in
        try crash(path) { print(endless(1)) }
      },
      "overflow-thread": { path in
        try crash(path) { SystemThread { print(endless(1)) }.join() }
      },
      "abort": { path in
        try crash(path) { abort() }
      },
    ]
  }

  private static func crash(_ path: String, _ body: () -> Void) throws {
    // A core file of each would fill the disk.
    var none = rlimit()
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    _ = try Recording.start(writingTo: path)
    for _ in 0..<5000 { withSpan("work") {} }
    withSpan("outer") {
      withSpan("done") {}
      withSpan("inner") { body() }
    }
  }

  /// A call that never returns and takes a span each time.
  private static func endless(_ depth: Int) -> Int {
    withSpan("deeper") { depth &+ endless(depth &+ 1) }
  }
}
