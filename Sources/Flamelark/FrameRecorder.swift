#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// What a series of frames knows of the one that runs now, and writes of each.
@usableFromInline
final class FrameRecorder: Sendable {
  let name: String
  let refresh: FrameSeries.Refresh
  /// Of `refresh`, in nanoseconds.
  private let interval: Int64

  @usableFromInline let identifier: UInt32
  private let state = Mutex(State())

  @usableFromInline
  init(name: StaticString, refresh: FrameSeries.Refresh) {
    interval = refresh.nanoseconds
    precondition(interval > 0, "a refresh interval must be over 0")
    self.name = "\(name)"
    self.refresh = refresh
    identifier = Recorder.shared.addSeries(name: self.name, refresh: interval)
  }

  /// What is known of the frame that runs now. Times are CLOCK_MONOTONIC in nanoseconds.
  private struct State {
    /// The recording that `number` counts in.
    var session = 0
    var number: Int64 = -1
    var timestamp: Int64 = 0
    var target: Int64 = 0
    var interval: Int64?
    var end: Int64?

    /// Forgets the frames of an earlier recording. false: these are of a later one.
    mutating func enter(session: Int) -> Bool {
      if session > self.session { self = State(session: session) }
      return session == self.session
    }
  }

  /// Room for a record in the recording that `state` then counts in, which is the one that this
  /// thread records into: the last record may have filled a file that goes on in another.
  ///
  /// - Returns: nil if nothing can be recorded now.
  private func room(_ state: inout State) -> UnsafeMutablePointer<UInt64>? {
    // First of all room, which a thread has that records: another has no place for sums.
    guard unsafe fl_room() != nil else { return nil }
    // Sums of spans that are left out belong to the frame in which they ran.
    fl_write_folds()
    guard let place = unsafe fl_room(), state.enter(session: Recorder.shared.sessionOfThisThread)
    else { return nil }
    return unsafe place
  }
}

// MARK: - A loop without a display link

extension FrameRecorder {
  @usableFromInline
  func mark() {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    state.withLock { state in
      guard var place = unsafe room(&state) else { return }
      if state.number >= 0, unsafe reportLateness(of: state, end: now, at: place) {
        guard let next = unsafe room(&state) else { return }
        unsafe place = next
      }
      state.number += 1
      state.timestamp = now
      state.target = now + interval
      state.interval = interval
      var record = FrameRecord(series: identifier, number: state.number, mode: .marks)
      record.timestamp = now
      record.target = state.target
      record.interval = interval
      record.begin = now
      unsafe RecordWriter.write(record, tick: tick, at: place)
    }
  }

  /// Writes a record if the frame is late.
  private func reportLateness(
    of frame: State, end: Int64, at place: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    let lateness = Lateness.lateness(
      end: end, target: frame.target, interval: frame.interval ?? interval)
    guard lateness > 0 else { return false }
    unsafe RecordWriter.write(
      .hitch, id: identifier, UInt64(frame.number), UInt64(bitPattern: lateness), at: place)
    return true
  }

  @usableFromInline
  func markHitch(_ reason: StaticString, file: StaticString, line: UInt32) {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    guard unsafe fl_room() != nil else { return }
    let site = unsafe fl_site(reason.characters, file.characters, line, "")
    state.withLock { state in
      guard let place = unsafe room(&state) else { return }
      unsafe RecordWriter.write(
        .markedHitch, id: identifier, UInt64(max(0, state.number)), UInt64(site),
        at: place)
    }
  }
}

// MARK: - A loop with a display link

extension FrameRecorder {
  @usableFromInline
  func begin(
    timestamp: SuspendingClock.Instant, target: SuspendingClock.Instant?
  ) -> FrameSeries.OpenFrame {
    guard fl_enter_to_record() else { return FrameSeries.OpenFrame() }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    let (timestamp, target) = (timestamp.nanoseconds, target?.nanoseconds)
    return state.withLock { state in
      guard var place = unsafe room(&state) else { return FrameSeries.OpenFrame() }
      if state.number >= 0, timestamp == state.timestamp {
        // The display link called twice for one refresh: still the same frame.
        return FrameSeries.OpenFrame(recorder: self, number: state.number, session: state.session)
      }
      let wentBack = state.number >= 0 && timestamp < state.timestamp
      if state.number >= 0, !wentBack, !wasIdle(state, next: timestamp, begin: now),
        unsafe reportLateness(of: state, end: timestamp, at: place)
      {
        guard let next = unsafe room(&state) else { return FrameSeries.OpenFrame() }
        unsafe place = next
      }
      let due = Lateness.resolve(
        timestamp: timestamp, target: target, previousInterval: state.interval,
        usual: interval)
      state.number += 1
      state.timestamp = timestamp
      state.target = due.target
      state.interval = due.interval
      state.end = nil
      var record = FrameRecord(series: identifier, number: state.number, mode: .displayLink)
      record.timestamp = timestamp
      record.target = due.target
      record.interval = due.interval
      record.begin = now
      record.targetIsEstimated = due.isEstimated
      record.beginsSegment = wentBack
      unsafe RecordWriter.write(record, tick: tick, at: place)
      return FrameSeries.OpenFrame(recorder: self, number: state.number, session: state.session)
    }
  }

  private func wasIdle(_ frame: State, next: Int64, begin: Int64) -> Bool {
    guard let end = frame.end else { return false }
    return Lateness.isIdle(
      elapsed: next - frame.timestamp, waiting: begin - end,
      interval: frame.interval ?? interval)
  }

  @usableFromInline
  func end(_ number: Int64, session: Int) {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let now = fl_monotonic()
    state.withLock { state in
      guard let place = unsafe room(&state), state.session == session else { return }
      if state.number == number { state.end = now }
      unsafe RecordWriter.write(
        .frameFact, id: identifier, detail: FrameFact.end.rawValue, UInt64(number),
        UInt64(bitPattern: now), at: place)
    }
  }
}

extension SuspendingClock.Instant {
  /// CLOCK_MONOTONIC in nanoseconds.
  fileprivate var nanoseconds: Int64 {
    let parts = SuspendingClock().systemEpoch.duration(to: self).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }
}
#endif
