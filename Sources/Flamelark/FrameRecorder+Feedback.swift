#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

extension FrameRecorder {
  @usableFromInline
  func presented(_ id: FrameSeries.FrameID, at time: SuspendingClock.Instant) {
    presented(id, at: Self.nanoseconds(time))
  }

  /// The same with a time of CLOCK_MONOTONIC in nanoseconds.
  func presented(_ id: FrameSeries.FrameID, at time: Int64) {
    tell(id, .presented, .presented(time), time)
  }

  @usableFromInline
  func discarded(_ id: FrameSeries.FrameID) { tell(id, .discarded, .discarded, 0) }

  private func tell(
    _ id: FrameSeries.FrameID, _ fact: FrameFact, _ outcome: ShownFrames.Outcome, _ value: Int64
  ) {
    guard id.series == identifier, fl_enter_to_record() else { return }
    defer { fl_leave() }
    state.withLock { state in
      guard let place = unsafe roomOutsideFrames(&state), id.isOf(state.session),
        state.feedback.tell(id.number, outcome)
      else { return }
      unsafe RecordWriter.write(
        .frameFact, id: identifier, detail: fact.rawValue, UInt64(id.number),
        UInt64(bitPattern: value), at: place)
      reportShownLate(&state)
    }
  }

  /// Writes which of the frames whose turn it is were shown late.
  func reportShownLate(_ state: inout State) {
    let session = state.session
    while state.session == session, let hitch = state.feedback.nextHitch() {
      guard let place = unsafe roomOutsideFrames(&state), state.session == session else { continue }
      unsafe RecordWriter.write(
        .hitch, id: identifier, detail: HitchRule.shown.rawValue, UInt64(hitch.number),
        UInt64(bitPattern: hitch.lateness), at: place)
    }
  }
}

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
  private var shown = ShownFrames()
  /// Whether anything was told.
  private(set) var isUsed = false

  /// Forgets all frames.
  mutating func clear() {
    next = 0
    end = 0
    shown = ShownFrames()
    isUsed = false
  }

  /// Takes in the next frame. All hitches before it were asked for.
  mutating func begin(_ frame: ShownFrames.Frame, number: Int64) {
    if frames.isEmpty { frames = Array(repeating: frame, count: Int(Self.reach) + 1) }
    // Frames that were marked are not here.
    if number != end { (next, end, shown) = (number, number, ShownFrames()) }
    frames[place(of: end)] = frame
    end += 1
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
    while next < end {
      let frame = frames[place(of: next)]
      if frame.outcome == .untold, end - next <= Self.reach { return nil }
      next += 1
      if let verdict = shown.add(frame), verdict.lateness > 0 {
        return (next - 1, verdict.lateness)
      }
    }
    return nil
  }

  private func place(of number: Int64) -> Int { Int(number) % frames.count }
}
#endif
