import Flamelark
import Glibc
import Synchronization

/// A terminal, or, where there is none, lines of text.
final class Screen: Sendable {
  private let isTerminal = isatty(1) != 0
  private let corner = Mutex("the first second runs")
  private static let text = "why was this frame late?"
  private static let columns = 60

  init() {
    // Clears it.
    if isTerminal { put("\u{1B}[2J") }
  }

  /// Shows a second in the corner, from the next frame on.
  func show(_ second: FrameMonitor.Second) {
    let line = Self.line(second)
    corner.withLock { $0 = line }
    if !isTerminal { put(line + "\n") }
  }

  private static func line(_ second: FrameMonitor.Second) -> String {
    let worst = second.worstFrame
    let name = worst.number.map { " \($0)" } ?? ""
    return
      "\(rounded(second.fps)) fps  \(rounded(second.hitchRatio)) ms/s  \(second.hitches) late  "
      + "worst frame\(name) \(milliseconds(worst.duration)) ms, \(milliseconds(worst.lateness)) of them late"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    rounded(duration / .milliseconds(1))
  }

  /// With one digit behind the point.
  private static func rounded(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Draws a frame: the text, one column further, and the corner.
  func draw(_ number: Int) {
    let line = Self.moved(number)
    guard isTerminal else { return }
    let corner = corner.withLock { $0 }
    put("\u{1B}[1;1H\u{1B}[7m \(corner) \u{1B}[0m\u{1B}[K\u{1B}[3;1H\(line)\u{1B}[K")
  }

  private static func moved(_ number: Int) -> String {
    let room = columns - text.count
    // There and back.
    let place = abs(number % (2 * room) - room)
    return String(repeating: " ", count: place) + text
  }

  /// Leaves the terminal with the cursor below.
  func close() { if isTerminal { put("\u{1B}[5;1H") } }

  private func put(_ text: String) { _ = unsafe write(1, text, text.utf8.count) }
}
