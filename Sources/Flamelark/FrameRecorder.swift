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
  let interval: Int64

  @usableFromInline let identifier: UInt32
  let state = Mutex(State())
  /// What the program said last of whether it needs frames, recorded or not: a ``Need``.
  let need = Atomic<UInt8>(Need.notSaid.rawValue)

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
    identifier = Recorder.shared.addSeries(name: name, refresh: interval)
  }

  enum Need: UInt8 {
    case notSaid
    case frames
    case noFrames
  }

  /// What is known of the frame that runs now. Times are CLOCK_MONOTONIC in nanoseconds.
  struct State {
    /// The recording that `number` counts in.
    var session = 0
    var number: Int64 = -1
    var mode = FrameRecord.Mode.marks
    var timestamp: Int64 = 0
    var target: Int64 = 0
    var interval: Int64?
    var end: Int64?
    /// Whether it was asked for, if the program says such things.
    var isRequested: Bool?
    /// When the program said, in this frame, that no other is needed, or that it pauses.
    var restBegin: Int64?
    var pauseBegin: Int64?
    /// Whether it was told how late it was.
    var isJudged = false
    /// What the program learns of frames later.
    var feedback = FrameFeedback()

    /// Forgets the frames of an earlier recording. false: these are of a later one.
    mutating func enter(session: Int) -> Bool {
      if session > self.session {
        var feedback = self.feedback
        feedback.clear()
        self = State(session: session, feedback: feedback)
      }
      return session == self.session
    }

    /// The frame's number and times, as the next one begins.
    mutating func begin(
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

  /// Writes that the frame which runs is late, if it is by its end against its target and nobody was
  /// told before. Where the program says when frames are shown, that is what counts.
  func reportLateness(_ state: inout State, end: Int64) {
    guard state.number >= 0, !state.isJudged, !state.feedback.isUsed else { return }
    state.isJudged = true
    guard state.isRequested != false else { return }
    let lateness = Lateness.lateness(
      end: end, target: state.target, interval: state.interval ?? interval)
    guard lateness > 0 else { return }
    let (session, number) = (state.session, state.number)
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
        .markedHitch, id: identifier, UInt64(max(0, state.number)), UInt64(site),
        at: place)
    }
  }
}
#endif
