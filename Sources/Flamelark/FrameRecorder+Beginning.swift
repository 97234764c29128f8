#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

// MARK: - A loop without a display link

extension FrameRecorder {
  @usableFromInline
  func mark() {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    state.withLock { state in
      guard unsafe room(&state) != nil else { return }
      reportLateness(&state, end: now)
      guard let place = unsafe room(&state) else { return }
      let isPaused = state.pauseBegin != nil
      state.begin(
        .marks, timestamp: now, target: now + interval, interval: interval, need: currentNeed)
      var record = FrameRecord(series: identifier, number: state.number, mode: .marks)
      record.timestamp = now
      record.target = state.target
      record.interval = interval
      record.begin = now
      record.isRequested = state.isRequested
      record.beginsSegment = isPaused
      unsafe RecordWriter.write(record, tick: tick, at: place)
    }
  }

  fileprivate var currentNeed: Need { Need(rawValue: need.load(ordering: .relaxed)) ?? .notSaid }
}

// MARK: - A loop with a display link

extension FrameRecorder {
  /// Begins a frame.
  ///
  /// - Returns: Its id; ``FrameSeries/FrameID/none`` if it is not recorded.
  @usableFromInline
  func begin(
    timestamp: SuspendingClock.Instant, target: SuspendingClock.Instant?
  ) -> FrameSeries.FrameID {
    guard fl_is_recording() else { return .none }
    return begin(
      timestamp: Self.nanoseconds(timestamp), target: target.map(Self.nanoseconds))
  }

  /// The same with times of CLOCK_MONOTONIC in nanoseconds.
  func begin(timestamp: Int64, target: Int64?) -> FrameSeries.FrameID {
    guard fl_enter_to_record() else { return .none }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    return state.withLock { state in
      guard unsafe room(&state) != nil else { return .none }
      // The display link called twice for one refresh: still the same frame.
      if state.number >= 0, timestamp == state.timestamp { return id(of: state) }
      let wentBack = state.number >= 0 && timestamp < state.timestamp
      let rested = state.restBegin != nil || rests(state, until: timestamp, begin: now)
      if let ownEnd = state.ownEnd {
        reportLateness(&state, end: ownEnd)
      } else if !wentBack, !rested {
        reportLateness(&state, end: timestamp)
      }
      guard let place = unsafe room(&state) else { return .none }
      let due = Lateness.resolve(
        timestamp: timestamp, target: target, previousInterval: state.interval,
        usual: interval)
      let beginsSegment = wentBack || state.pauseBegin != nil
      state.begin(
        .displayLink, timestamp: timestamp, target: due.target, interval: due.interval,
        need: currentNeed)
      var record = FrameRecord(series: identifier, number: state.number, mode: .displayLink)
      record.timestamp = timestamp
      record.target = due.target
      record.interval = due.interval
      record.begin = now
      record.targetIsEstimated = due.isEstimated
      record.beginsSegment = beginsSegment
      record.isRequested = state.isRequested
      unsafe RecordWriter.write(record, tick: tick, at: place)
      let id = id(of: state)
      state.feedback.begin(
        ShownFrames.Frame(
          target: due.target, interval: due.interval, outcome: .untold,
          beginsSegment: beginsSegment, followsRest: rested,
          isRequested: state.isRequested != false), number: id.number)
      reportShownLate(&state)
      return id
    }
  }

  /// CLOCK_MONOTONIC in nanoseconds, at most 292 years from 0.
  static func nanoseconds(_ instant: SuspendingClock.Instant) -> Int64 {
    let parts = SuspendingClock().systemEpoch.duration(to: instant).components
    let (seconds, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = seconds.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
    return overflow || carry ? (parts.seconds < 0 ? .min + 1 : .max) : sum
  }

  private func id(of state: State) -> FrameSeries.FrameID {
    FrameSeries.FrameID(number: state.number, series: identifier, session: state.session)
  }

  /// What the program said stands first; what its waiting tells is a guess.
  private func rests(_ frame: State, until next: Int64, begin: Int64) -> Bool {
    if let isRequested = frame.isRequested { return !isRequested }
    guard let end = frame.end else { return false }
    return Lateness.isIdle(
      elapsed: next.subtractingReportingOverflow(frame.timestamp).partialValue,
      waiting: begin - end, interval: frame.interval ?? interval)
  }

  @usableFromInline
  func end(_ id: FrameSeries.FrameID) {
    guard id.series == identifier, fl_enter_to_record() else { return }
    defer { fl_leave() }
    let now = fl_monotonic()
    state.withLock { state in
      guard unsafe room(&state) != nil, id.isOf(state.session) else { return }
      if state.number == id.number {
        state.end = now
        if state.ownEnd != nil { reportLateness(&state, end: now) }
      }
      guard let place = unsafe room(&state), id.isOf(state.session) else { return }
      unsafe RecordWriter.write(
        .frameFact, id: identifier, detail: FrameFact.end.rawValue, UInt64(id.number),
        UInt64(bitPattern: now), at: place)
    }
  }
}

extension FrameRecorder.State {
  /// When the frame ended, if no other follows it at once: nothing else says how late it was.
  var ownEnd: Int64? {
    guard let rest = [restBegin, pauseBegin].compactMap(\.self).min() else { return nil }
    return end ?? rest
  }
}
#endif
