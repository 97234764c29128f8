/// Counts late frames from the timestamps alone, without Flamelark: a second opinion.
struct FrameTally {
  private(set) var frames = 0
  private(set) var late = 0
  private var lateness: Int64 = 0
  private var active: Int64 = 0
  private var last: DisplayLink.Tick?

  /// A frame began. It was due when the frame before it said; the first one is due at any time.
  mutating func add(_ tick: DisplayLink.Tick) {
    frames += 1
    defer { last = tick }
    guard let last else { return }
    active += tick.timestamp - last.timestamp
    let over = tick.timestamp - last.target
    // A quarter of a millisecond or 3 % of the interval is not late.
    guard over > max(250_000, last.interval * 3 / 100) else { return }
    late += 1
    lateness += over
  }

  /// Milliseconds late for each second of scrolling.
  var ratio: Double {
    active == 0 ? 0 : Double(lateness) * 1000 / Double(active)
  }

  /// One line that a script can read.
  var summary: String {
    let hundredths = Int((ratio * 100).rounded())
    let cents = hundredths % 100
    return
      "feed: \(frames) frames, \(late) late, \(hundredths / 100).\(cents < 10 ? "0" : "")\(cents) ms/s"
  }
}
