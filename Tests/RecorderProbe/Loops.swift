import Flamelark
import Foundation

/// Loops with late frames.
extension RecorderProbe {
  static var loops: [String: Scenario] {
    ["hitch": hitch, "short-calls": shortCalls, "scroll": scroll]
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

  /// Of three late frames, 5, 15 and 25, the second begins in a scroll.
  static func scroll(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let frames = FrameSeries("loop", refresh: .hertz(60))
    func pass(_ passes: Range<Int>) {
      for pass in passes {
        if pass % 10 == 5 {
          withSpan("save") { spin(milliseconds: 400) }
        } else {
          withSpan("update") { spin(milliseconds: 1) }
        }
        frames.mark()
      }
    }
    frames.mark()
    pass(0..<10)
    withActivity("scroll") { pass(10..<20) }
    pass(20..<30)
    try recording.stop()
  }

  private static func spin(milliseconds: Int) { spin(for: .milliseconds(milliseconds)) }

  private static func spin(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }
}
