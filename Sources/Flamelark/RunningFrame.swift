#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat

/// What is known of the frame of a series that runs, and how it is judged: those of a recording by the
/// recorder, recorded or not by monitors. Times are CLOCK_MONOTONIC in nanoseconds.
struct RunningFrame {
  /// The interval of the series where nothing else is said.
  let usual: Int64
  /// From 0; -1 before the first.
  var number: Int64 = -1
  private var mode = FrameRecord.Mode.marks
  private(set) var timestamp: Int64 = 0
  private(set) var target: Int64 = 0
  private var interval: Int64?
  private var end: Int64?
  /// Whether it was asked for, if the program says such things.
  private(set) var isRequested: Bool?
  /// When the program said, in this frame, that no other is needed, or that it pauses.
  private var restBegin: Int64?
  private var pauseBegin: Int64?
  /// Whether it was told how late it was.
  private var isJudged = false
  /// What the program learns of frames later.
  var feedback = FrameFeedback()

  init(usual: Int64, number: Int64 = -1) {
    self.usual = usual
    self.number = number
  }

  /// Forgets all frames, as another recording begins.
  mutating func clear() {
    var feedback = self.feedback
    feedback.clear()
    self = RunningFrame(usual: usual)
    self.feedback = feedback
  }

  /// What the program said last of whether it needs frames.
  enum Need: UInt8 {
    case notSaid
    case frames
    case noFrames
  }

  /// How late a frame is by its end against its target, and how much time it was active.
  struct Verdict {
    var lateness: Int64
    var activeTime: Int64
  }

  /// Judges the frame by an end, behind which another frame follows, or a rest.
  ///
  /// - Returns: nil if it was judged before, or was not asked for, or if the program says when frames
  ///   are shown, which then is what counts.
  @inline(__always)
  private mutating func judge(end: Int64, isRest: Bool) -> Verdict? {
    guard number >= 0, !isJudged, !feedback.isUsed else { return nil }
    isJudged = true
    guard isRequested != false else { return nil }
    let activeEnd =
      isRest ? Lateness.activeEnd(end: end, target: target, isMarked: mode == .marks) : end
    let (elapsed, overflow) = activeEnd.subtractingReportingOverflow(timestamp)
    return Verdict(
      lateness: Lateness.lateness(end: end, target: target, interval: interval ?? usual),
      activeTime: overflow ? .max : max(0, elapsed))
  }

  /// When the frame ended, if no other follows it at once: nothing else says how late it was.
  private var ownEnd: Int64? {
    switch (restBegin, pauseBegin) {
    case (nil, nil): nil
    case (let rest?, let pause?): end ?? min(rest, pause)
    case (let rest?, nil): end ?? rest
    case (nil, let pause?): end ?? pause
    }
  }

  @inline(__always)
  private mutating func begin(
    _ mode: FrameRecord.Mode, timestamp: Int64, target: Int64, interval: Int64, need: Need
  ) {
    number += 1
    self.mode = mode
    self.timestamp = timestamp
    self.target = target
    self.interval = interval
    end = nil
    isRequested = need == .notSaid ? nil : need == .frames
    restBegin = nil
    pauseBegin = nil
    isJudged = false
  }
}

// MARK: - A loop without a display link

extension RunningFrame {
  /// Judges the frame that a mark ends.
  @inline(__always)
  mutating func judge(markedAt now: Int64) -> Verdict? { judge(end: now, isRest: false) }

  /// Begins the next one.
  ///
  /// - Returns: Whether nothing before it makes it late.
  @inline(__always)
  mutating func mark(at now: Int64, need: Need) -> Bool {
    let isPaused = pauseBegin != nil
    begin(.marks, timestamp: now, target: now + usual, interval: usual, need: need)
    return isPaused
  }
}

// MARK: - A loop with a display link

extension RunningFrame {
  /// What the next frame has to know of the one before it.
  struct Before {
    var verdict: Verdict?
    /// The display link's clock went backwards.
    var wentBack: Bool
    /// No frame was wanted until the next.
    var rested: Bool
  }

  /// Whether the display link was called twice for one refresh: it is still the same frame.
  func isOf(timestamp: Int64) -> Bool { number >= 0 && timestamp == self.timestamp }

  /// Judges the frame behind which another begins; nil: now.
  mutating func judge(beforeFrameOf timestamp: Int64, begin now: Int64?) -> Before {
    let wentBack = number >= 0 && timestamp < self.timestamp
    let rested = restBegin != nil || rests(until: timestamp, begin: now)
    var verdict: Verdict?
    if let ownEnd {
      verdict = judge(end: ownEnd, isRest: true)
    } else if !wentBack, !rested {
      verdict = judge(end: timestamp, isRest: false)
    }
    return Before(verdict: verdict, wentBack: wentBack, rested: rested)
  }

  /// What the program said stands first; what its waiting tells is a guess.
  private func rests(until next: Int64, begin: Int64?) -> Bool {
    if let isRequested { return !isRequested }
    guard let end else { return false }
    // A clock is read only where that decides: it would be a quarter of what a monitor costs.
    return Lateness.isIdle(
      elapsed: next.subtractingReportingOverflow(timestamp).partialValue,
      waiting: (begin ?? fl_monotonic()) - end, interval: interval ?? usual)
  }

  /// When a frame that begins is due.
  struct Due {
    var target: Int64
    var interval: Int64
    var isEstimated: Bool
    var beginsSegment: Bool
  }

  /// Begins the next frame.
  mutating func begin(
    timestamp: Int64, target: Int64?, need: Need, behind before: Before
  ) -> Due {
    let due = Lateness.resolve(
      timestamp: timestamp, target: target, previousInterval: interval, usual: usual)
    let beginsSegment = before.wentBack || pauseBegin != nil
    begin(
      .displayLink, timestamp: timestamp, target: due.target, interval: due.interval, need: need)
    feedback.begin(
      ShownFrames.Frame(
        target: due.target, interval: due.interval, outcome: .untold,
        beginsSegment: beginsSegment, followsRest: before.rested,
        isRequested: isRequested != false), number: number)
    return Due(
      target: due.target, interval: due.interval, isEstimated: due.isEstimated,
      beginsSegment: beginsSegment)
  }

  /// Ends the frame, and judges it if that is all that says how late it was.
  mutating func end(at now: Int64) -> Verdict? {
    end = now
    return ownEnd == nil ? nil : judge(end: now, isRest: true)
  }
}

// MARK: - When no frame is wanted

extension RunningFrame {
  /// Takes in how the series goes on, and judges the frame if it has ended with that.
  mutating func change(_ change: SeriesChange, at now: Int64) -> Verdict? {
    guard number >= 0 else { return nil }
    switch change {
    case .paused: if pauseBegin == nil { pauseBegin = now }
    case .needsNoFrame: if restBegin == nil { restBegin = now }
    case .needsFrame:
      // Said before the frame's work was done: there was no rest.
      if mode == .displayLink, end == nil { restBegin = nil }
      return nil
    case .resumed: return nil
    }
    switch mode {
    case .marks: return judge(end: now, isRest: true)
    case .displayLink: return end.flatMap { judge(end: $0, isRest: true) }
    }
  }
}
#endif
