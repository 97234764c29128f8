import Flamelark
import Glibc

/// An on-screen counter: a loop at 60 Hz that moves a line of text and now and then stutters, with its own
/// frames a second, hitch ratio and worst frame in a corner.
///
///     Counter [--seconds N]        ends by itself; plain lines where it writes to no terminal
@main enum Counter {
  static let interval = Duration.nanoseconds(16_666_667)

  static func main() throws {
    let seconds = seconds(of: CommandLine.arguments.dropFirst())
    // So that `flamelark hitch` can say why the worst frame was late.
    let recording = try Recording.startIfRequested()
    run(for: .seconds(seconds))
    try recording?.stop()
  }

  private static func run(for length: Duration) {
    let screen = Screen()
    let frames = FrameSeries("counter", refresh: .every(interval))
    // The call runs in `mark()`, on this thread: it only keeps the text that the next frame draws.
    let monitor = FrameMonitor(of: frames) { second in screen.show(second) }
    let clock = SuspendingClock()
    let end = clock.now + length
    var next = clock.now
    var number = 0
    while clock.now < end {
      frames.mark()
      withSpan("draw") { screen.draw(number) }
      if number % 80 == 50 { withSpan("stutter") { stutter(for: .milliseconds(45)) } }
      number += 1
      next = max(next + interval, clock.now)
      sleep(until: next)
    }
    monitor.stop()
    screen.close()
  }

  /// Works, as a program does that decodes a picture where it draws.
  private static func stutter(for length: Duration) {
    let end = SuspendingClock().now + length
    while SuspendingClock().now < end {}
  }

  private static func sleep(until time: SuspendingClock.Instant) {
    let (seconds, attoseconds) = SuspendingClock().now.duration(to: time).components
    guard seconds == 0, attoseconds > 0 else { return }
    usleep(UInt32(attoseconds / 1_000_000_000_000))
  }

  private static func seconds(of arguments: ArraySlice<String>) -> Double {
    guard let option = arguments.first else { return 10 }
    guard option == "--seconds" else { fail("there is no option '\(option)'") }
    guard arguments.count == 2, let text = arguments.last, let seconds = Double(text),
      seconds > 0, seconds <= 3600
    else { fail("--seconds needs a number over 0 and at most 3600") }
    return seconds
  }

  private static func fail(_ message: String) -> Never {
    let text = "counter: \(message); usage: Counter [--seconds N]\n"
    _ = unsafe write(2, text, text.utf8.count)
    exit(2)
  }
}
