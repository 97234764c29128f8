#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

// MARK: - A loop without a display link

extension FrameRecorder {
  @usableFromInline
  func mark() {
    if isFollowed { mark(at: .now) }
  }

  func mark(at moment: Moment) {
    follow { state, isRecorded, calls in
      let number = isRecorded ? record(markAt: moment, &state) : -1
      state.watch?.mark(at: moment.time, need: currentNeed, recorded: number, &calls)
    }
  }

  @inline(__always)
  private func record(markAt moment: Moment, _ state: inout State) -> Int64 {
    let now = moment.time
    guard unsafe room(&state) != nil else { return -1 }
    report(state.frame.judge(markedAt: now), &state)
    guard let place = unsafe room(&state) else { return -1 }
    let beginsSegment = state.frame.mark(at: now, need: currentNeed)
    var record = FrameRecord(series: identifier, number: state.frame.number, mode: .marks)
    record.timestamp = now
    record.target = state.frame.target
    record.interval = interval
    record.begin = now
    record.isRequested = state.frame.isRequested
    record.beginsSegment = beginsSegment
    unsafe RecordWriter.write(record, tick: moment.tick ?? fl_tick(), at: place)
    return state.frame.number
  }

  fileprivate var currentNeed: RunningFrame.Need {
    RunningFrame.Need(rawValue: need.load(ordering: .relaxed)) ?? .notSaid
  }
}

// MARK: - A loop with a display link

extension FrameRecorder {
  /// Begins a frame.
  ///
  /// - Returns: Its id; ``FrameSeries/FrameID/none`` if nobody follows it.
  @usableFromInline
  func begin(timestamp: Int64, target: Int64?) -> FrameSeries.FrameID {
    guard isFollowed else { return .none }
    return begin(timestamp: timestamp, target: target, at: fl_is_recording() ? .now : nil)
  }

  /// The same at a moment, nil: now.
  func begin(timestamp: Int64, target: Int64?, at moment: Moment?) -> FrameSeries.FrameID {
    follow { state, isRecorded, calls in
      var id = FrameSeries.FrameID.none
      if isRecorded {
        id = record(timestamp: timestamp, target: target, at: moment ?? .now, &state)
      }
      let watched = state.watch?.begin(
        timestamp: timestamp, target: target, at: moment?.time, need: currentNeed,
        recorded: id.number, &calls)
      guard let watched else { return id }
      return FrameSeries.FrameID(
        number: id.number, watched: watched, series: identifier, session: id.session)
    } ?? .none
  }

  private func record(
    timestamp: Int64, target: Int64?, at moment: Moment, _ state: inout State
  ) -> FrameSeries.FrameID {
    guard unsafe room(&state) != nil else { return .none }
    if state.frame.isOf(timestamp: timestamp) { return id(of: state) }
    let before = state.frame.judge(beforeFrameOf: timestamp, begin: moment.time)
    report(before.verdict, &state)
    guard let place = unsafe room(&state) else { return .none }
    let due = state.frame.begin(
      timestamp: timestamp, target: target, need: currentNeed, behind: before)
    var record = FrameRecord(series: identifier, number: state.frame.number, mode: .displayLink)
    record.timestamp = timestamp
    record.target = due.target
    record.interval = due.interval
    record.begin = moment.time
    record.targetIsEstimated = due.isEstimated
    record.beginsSegment = due.beginsSegment
    record.isRequested = state.frame.isRequested
    unsafe RecordWriter.write(record, tick: moment.tick ?? fl_tick(), at: place)
    let id = id(of: state)
    reportShownLate(&state)
    return id
  }

  /// CLOCK_MONOTONIC in nanoseconds, at most 292 years from 0.
  @usableFromInline
  static func nanoseconds(_ instant: SuspendingClock.Instant) -> Int64 {
    let attoseconds = SuspendingClock().systemEpoch.duration(to: instant).attoseconds
    let (high, low) = (
      UInt64(truncatingIfNeeded: attoseconds >> 64), UInt64(truncatingIfNeeded: attoseconds)
    )
    guard high < limitOfNanoseconds else { return nanosecondsAfar(attoseconds) }
    // By 2⁹ · 5⁹, in two steps of 42 bits whose divisions the compiler makes multiplications: one of two
    // words takes longer than all else that a monitor does with a frame.
    let fives: UInt64 = 1_953_125
    let upper = high << 13 | low >> 51
    let lower = low >> 9 & (1 << 42 - 1)
    let (quotient, rest) = upper.quotientAndRemainder(dividingBy: fives)
    return Int64(quotient << 42 | (rest << 42 | lower) / fives)
  }

  /// The upper word of attoseconds of which nanoseconds have one word and a sign.
  private static var limitOfNanoseconds: UInt64 { 500_000_000 }

  /// Of a time before 0, or too far from it.
  @inline(never)
  private static func nanosecondsAfar(_ attoseconds: Int128) -> Int64 {
    guard attoseconds < 0 else { return .max }
    return Int64(exactly: attoseconds / 1_000_000_000) ?? .min + 1
  }

  private func id(of state: State) -> FrameSeries.FrameID {
    FrameSeries.FrameID(
      number: state.frame.number, watched: -1, series: identifier,
      session: UInt32(truncatingIfNeeded: state.session))
  }

  @usableFromInline
  func end(_ id: FrameSeries.FrameID) {
    if id.series == identifier, isFollowed { end(id, at: fl_monotonic()) }
  }

  func end(_ id: FrameSeries.FrameID, at now: Int64) {
    follow { state, isRecorded, calls in
      if isRecorded, id.number >= 0 { record(endOf: id, at: now, &state) }
      state.watch?.end(id.watched, at: now, &calls)
    }
  }

  private func record(endOf id: FrameSeries.FrameID, at now: Int64, _ state: inout State) {
    guard unsafe room(&state) != nil, id.isOf(state.session) else { return }
    if state.frame.number == id.number { report(state.frame.end(at: now), &state) }
    guard let place = unsafe room(&state), id.isOf(state.session) else { return }
    unsafe RecordWriter.write(
      .frameFact, id: identifier, detail: FrameFact.end.rawValue, UInt64(id.number),
      UInt64(bitPattern: now), at: place)
  }
}
#endif
