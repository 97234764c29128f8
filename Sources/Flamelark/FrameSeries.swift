internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// The frames of one loop that has to keep a beat.
///
/// Either call ``mark()`` once a pass, or ``begin(timestamp:target:)`` and `end()` with what a
/// display link says. A frame that comes later than it is due is a hitch; the recorder marks it
/// by the rule that the reports use. Use one series for one loop; it may move between threads.
public final class FrameSeries: Sendable {
  /// What the reports call it.
  public let name: String
  /// How long a frame may take where nothing else is said.
  public let refresh: Refresh

  private let identifier: UInt32
  private let state = Mutex(State())

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - name: What the reports call it.
  ///   - refresh: How often the loop has to come round.
  public init(_ name: StaticString, refresh: Refresh) {
    self.name = "\(name)"
    self.refresh = refresh
    identifier = Recorder.shared.addSeries(name: self.name, refresh: refresh.nanoseconds)
  }

  /// How often a loop has to come round.
  public struct Refresh: Sendable, Equatable {
    /// The time from one frame to the next, in nanoseconds.
    public let nanoseconds: Int64

    /// So many times a second, more than 0.
    public static func hertz(_ rate: Double) -> Refresh {
      precondition(rate > 0 && rate <= 1e9, "a refresh rate must be over 0 and at most 1e9 Hz")
      return Refresh(nanoseconds: Int64((1e9 / rate).rounded()))
    }

    /// Once in each interval, of at least a nanosecond.
    public static func every(_ interval: Duration) -> Refresh {
      let parts = interval.components
      let nanoseconds = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
      precondition(nanoseconds > 0, "a refresh interval must be over 0")
      return Refresh(nanoseconds: nanoseconds)
    }
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

    /// Forgets the frames of another recording.
    mutating func enter(session: Int) {
      if session != self.session { self = State(session: session) }
    }
  }
}

// MARK: - A loop without a display link

extension FrameSeries {
  /// Ends the current frame of the loop and begins the next.
  ///
  /// The next one is due one refresh interval from now: a late frame makes no other late. Costs
  /// about two spans, a load and a branch while nothing is recorded.
  public func mark() {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    let session = Recorder.shared.sessionNumber.load(ordering: .relaxed)
    state.withLock { state in
      state.enter(session: session)
      if state.number >= 0 {
        reportLateness(of: state, end: now)
      }
      state.number += 1
      state.timestamp = now
      state.target = now + refresh.nanoseconds
      state.interval = refresh.nanoseconds
      var record = FrameRecord(series: identifier, number: state.number, mode: .marks)
      record.timestamp = now
      record.target = state.target
      record.interval = refresh.nanoseconds
      record.begin = now
      RecordWriter.write(record, tick: tick)
    }
  }

  private func reportLateness(of frame: State, end: Int64) {
    let lateness = Lateness.lateness(
      end: end, target: frame.target, interval: frame.interval ?? refresh.nanoseconds)
    guard lateness > 0 else { return }
    RecordWriter.write(
      .hitch, id: identifier, UInt64(frame.number), UInt64(bitPattern: lateness))
  }

  /// Calls the frame that runs now a hitch, for a reason of the program's own.
  ///
  /// The reports show it; it changes no figure.
  public func markHitch(
    _ reason: StaticString, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    guard unsafe fl_room() != nil else { return }
    let session = Recorder.shared.sessionNumber.load(ordering: .relaxed)
    state.withLock { state in
      state.enter(session: session)
      let site = unsafe fl_site(reason.characters, file.characters, line, "")
      RecordWriter.write(
        .markedHitch, id: identifier, UInt64(max(0, state.number)), site)
    }
  }
}

// MARK: - A loop with a display link

extension FrameSeries {
  /// Begins a frame, with what the display link says of it.
  ///
  /// The frame before is late if this one's timestamp lies behind its target. From the end of a
  /// frame to the beginning of the next the loop waits; that time is nobody's fault.
  ///
  /// - Parameters:
  ///   - timestamp: When the frame began for the display link: the last refresh.
  ///   - target: When it is due: the refresh at which it is to be shown. nil, or a time that can't
  ///     be (not 1 ms to 1 s after the timestamp): made from the interval before it.
  /// - Returns: The frame, to be ended when its work is done.
  public func begin(
    timestamp: SuspendingClock.Instant, target: SuspendingClock.Instant?
  ) -> OpenFrame {
    guard fl_enter_to_record() else { return OpenFrame(series: nil, number: -1) }
    defer { fl_leave() }
    let (tick, now) = (fl_tick(), fl_monotonic())
    let session = Recorder.shared.sessionNumber.load(ordering: .relaxed)
    let (timestamp, target) = (timestamp.nanoseconds, target?.nanoseconds)
    return state.withLock { state in
      state.enter(session: session)
      if state.number >= 0, timestamp == state.timestamp {
        // The display link called twice for one refresh: still the same frame.
        return OpenFrame(series: self, number: state.number)
      }
      let wentBack = state.number >= 0 && timestamp < state.timestamp
      if state.number >= 0, !wentBack, !wasIdle(state, next: timestamp, begin: now) {
        reportLateness(of: state, end: timestamp)
      }
      let due = Lateness.resolve(
        timestamp: timestamp, target: target, previousInterval: state.interval,
        usual: refresh.nanoseconds)
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
      RecordWriter.write(record, tick: tick)
      return OpenFrame(series: self, number: state.number)
    }
  }

  private func wasIdle(_ frame: State, next: Int64, begin: Int64) -> Bool {
    guard let end = frame.end else { return false }
    return Lateness.isIdle(
      elapsed: next - frame.timestamp, waiting: begin - end,
      interval: frame.interval ?? refresh.nanoseconds)
  }

  private func end(_ number: Int64) {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let now = fl_monotonic()
    state.withLock { state in
      if state.number == number { state.end = now }
      RecordWriter.write(
        .frameFact, id: identifier, detail: FrameFact.end.rawValue, UInt64(number),
        UInt64(bitPattern: now))
    }
  }

  /// A frame that has begun. It ends once: by `end()`, or when the token goes out of scope.
  public struct OpenFrame: ~Copyable {
    private let series: FrameSeries?
    /// Its number in the series, from 0; -1 when nothing is recorded.
    public let number: Int64

    fileprivate init(series: FrameSeries?, number: Int64) {
      self.series = series
      self.number = number
    }

    /// Ends the frame: its work is done and it can be shown.
    public consuming func end() {}

    deinit { series?.end(number) }
  }
}

extension SuspendingClock.Instant {
  /// CLOCK_MONOTONIC in nanoseconds.
  fileprivate var nanoseconds: Int64 {
    let parts = SuspendingClock().systemEpoch.duration(to: self).components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }
}

// MARK: - Activities

extension FrameSeries {
  /// Begins an activity of this series: a scroll, a transition. It is ended by its token.
  public func beginActivity(
    _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line
  ) -> OpenActivity {
    unsafe OpenActivity(
      name: name.characters, file: file.characters, line: line, series: identifier)
  }
}
