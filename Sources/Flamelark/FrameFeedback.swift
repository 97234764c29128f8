#if !CompiledOut
internal import FlamelarkFormat

/// The last frames of a display link, of which somebody may say later when they were shown.
///
/// A frame is judged when all before it are told of. What comes later than 256 frames on is too late:
/// it is not recorded, so that the analysis, too, judges without it.
struct FrameFeedback {
  /// How many frames may begin before one has to be told of.
  static let reach: Int64 = 256

  /// By number, modulo their count. Allocated once, with the first frame.
  private var frames: [ShownFrames.Frame] = []
  /// The frame whose turn it is, and the one behind the last that began.
  private var next: Int64 = 0
  private var end: Int64 = 0
  /// Where that one's place is: a division takes as long as the rest of ``begin(_:number:)``.
  private var endPlace = 0
  private var shown = ShownFrames()
  /// Whether anything was told.
  private(set) var isUsed = false

  /// Forgets all frames.
  mutating func clear() {
    next = 0
    end = 0
    endPlace = 0
    shown = ShownFrames()
    isUsed = false
  }

  /// Takes in the next frame. All hitches before it were asked for.
  mutating func begin(_ frame: ShownFrames.Frame, number: Int64) {
    if frames.isEmpty { frames = Array(repeating: frame, count: Int(Self.reach) + 1) }
    // Frames that were marked are not here.
    if number != end {
      (next, end, shown) = (number, number, ShownFrames())
      endPlace = place(of: end)
    }
    frames[endPlace] = frame
    end += 1
    endPlace = endPlace + 1 == frames.count ? 0 : endPlace + 1
  }

  /// Remembers what became of a frame. false: too late, or it was told before.
  mutating func tell(_ number: Int64, _ outcome: ShownFrames.Outcome) -> Bool {
    guard number >= next, number < end, frames[place(of: number)].outcome == .untold else {
      return false
    }
    frames[place(of: number)].outcome = outcome
    isUsed = true
    return true
  }

  /// The next frame that was shown late, among those whose turn it is.
  mutating func nextHitch() -> (number: Int64, lateness: Int64)? {
    while let (number, verdict) = nextVerdict() {
      if verdict.lateness > 0 { return (number, verdict.lateness) }
    }
    return nil
  }

  /// The next frame of which it is known how late it was shown, or that it was in time.
  mutating func nextVerdict() -> (number: Int64, verdict: ShownFrames.Verdict)? {
    guard isUsed else {
      // What is out of reach is told of by nobody, and before the first word nothing is known of it.
      next = max(next, end - Self.reach)
      return nil
    }
    while next < end {
      let frame = frames[place(of: next)]
      if frame.outcome == .untold, end - next <= Self.reach { return nil }
      next += 1
      if let verdict = shown.add(frame) { return (next - 1, verdict) }
    }
    return nil
  }

  private func place(of number: Int64) -> Int { Int(number) % frames.count }
}
#endif
