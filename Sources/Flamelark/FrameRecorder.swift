#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// What a series of frames knows of the one that runs now, what it writes of each, and who is told.
@usableFromInline
final class FrameRecorder: Sendable {
  let name: String
  let refresh: FrameSeries.Refresh
  /// Of `refresh`, in nanoseconds.
  let interval: Int64

  @usableFromInline let identifier: UInt32
  let state: Mutex<State>
  /// What the program said last of whether it needs frames, followed or not: a ``RunningFrame/Need``.
  let need = Atomic<UInt8>(RunningFrame.Need.notSaid.rawValue)
  /// Whether the series has monitors.
  let isWatched = Atomic(false)

  @usableFromInline
  convenience init(name: StaticString, refresh: FrameSeries.Refresh) {
    self.init(name: "\(name)", refresh: refresh)
  }

  init(name: String, refresh: FrameSeries.Refresh) {
    interval = refresh.nanoseconds
    precondition(
      (1...1 << 60).contains(interval), "a refresh interval must be over 0 and at most 36 years")
    self.name = name
    self.refresh = refresh
    state = Mutex(State(usual: interval))
    identifier = Recorder.shared.addSeries(name: name, refresh: interval)
  }

  struct State {
    /// The recording that `frame` is of.
    var session = 0
    /// The frame that runs, as it is recorded.
    var frame: RunningFrame
    /// The same frames for monitors, while there are any.
    var watch: FrameWatch?
    /// How many frames were watched before: no two have the same number.
    var watchedCount: Int64 = 0

    init(usual: Int64) { frame = RunningFrame(usual: usual) }

    /// Forgets the frames of an earlier recording. false: these are of a later one.
    @inline(__always)
    mutating func enter(session: Int) -> Bool {
      if session > self.session { begin(session: session) }
      return session == self.session
    }

    @inline(never)
    private mutating func begin(session: Int) {
      self.session = session
      frame.clear()
    }
  }

  /// When something happens.
  struct Moment {
    /// Of the recording's clock; nil: nothing was recorded then.
    let tick: UInt64?
    /// CLOCK_MONOTONIC in nanoseconds.
    let time: Int64

    static var now: Moment {
      Moment(tick: fl_is_recording() ? fl_tick() : nil, time: fl_monotonic())
    }
  }

  /// Whether anybody follows this series.
  var isFollowed: Bool { fl_is_recording() || isWatched.load(ordering: .relaxed) }

  /// Does something with the state for the recording, if there is one, and for monitors; then, with no lock
  /// held, calls those whose second is over.
  ///
  /// - Parameter body: Gets the state, and whether it may record.
  /// - Returns: nil if it did nothing: nobody follows, or it is in a signal handler that interrupted such
  ///   a thing.
  @inline(__always)
  func follow<Result>(
    _ body: (inout State, _ isRecorded: Bool, inout FrameWatch.Calls) -> Result
  ) -> Result? {
    let isRecorded = fl_enter_to_record()
    guard isRecorded || isWatched.load(ordering: .relaxed) && fl_enter_to_watch() else {
      return nil
    }
    var calls = FrameWatch.Calls()
    let result = state.withLock { state in body(&state, isRecorded, &calls) }
    if isRecorded { fl_leave() } else { fl_leave_from_watching() }
    calls.make()
    return result
  }

  /// Room for a record in the recording that `state` then counts in, which is the one that this
  /// thread records into: the last record may have filled a file that goes on in another.
  ///
  /// - Returns: nil if nothing can be recorded now.
  func room(_ state: inout State) -> UnsafeMutablePointer<UInt64>? {
    // First of all room, which a thread has that records: another has no place for sums.
    guard unsafe fl_room() != nil else { return nil }
    // Sums of spans that are left out belong to the frame in which they ran.
    fl_write_folds()
    return unsafe roomOutsideFrames(&state)
  }

  /// The same for a record that says something of another frame than this thread's, if it has one.
  func roomOutsideFrames(_ state: inout State) -> UnsafeMutablePointer<UInt64>? {
    guard let place = unsafe fl_room(), state.enter(session: Recorder.shared.sessionOfThisThread)
    else { return nil }
    return unsafe place
  }

  /// Writes that the frame which runs is late, if it is.
  @inline(__always)
  func report(_ verdict: RunningFrame.Verdict?, _ state: inout State) {
    if let verdict, verdict.lateness > 0 { report(lateness: verdict.lateness, &state) }
  }

  @inline(never)
  private func report(lateness: Int64, _ state: inout State) {
    let (session, number) = (state.session, state.frame.number)
    guard let place = unsafe room(&state), state.session == session else { return }
    unsafe RecordWriter.write(
      .hitch, id: identifier, UInt64(number), UInt64(bitPattern: lateness), at: place)
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
        .markedHitch, id: identifier, UInt64(max(0, state.frame.number)), UInt64(site),
        at: place)
    }
  }
}
#endif
