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
    guard id.series == identifier else { return }
    follow { state, isRecorded, calls in
      if isRecorded, id.number >= 0 { record(id, fact, outcome, value, &state) }
      state.watch?.tell(id.watched, outcome, &calls)
    }
  }

  private func record(
    _ id: FrameSeries.FrameID, _ fact: FrameFact, _ outcome: ShownFrames.Outcome, _ value: Int64,
    _ state: inout State
  ) {
    guard let place = unsafe roomOutsideFrames(&state), id.isOf(state.session),
      state.frame.feedback.tell(id.number, outcome)
    else { return }
    unsafe RecordWriter.write(
      .frameFact, id: identifier, detail: fact.rawValue, UInt64(id.number),
      UInt64(bitPattern: value), at: place)
    reportShownLate(&state)
  }

  /// Writes which of the frames whose turn it is were shown late.
  func reportShownLate(_ state: inout State) {
    let session = state.session
    while state.session == session, let hitch = state.frame.feedback.nextHitch() {
      guard let place = unsafe roomOutsideFrames(&state), state.session == session else { continue }
      unsafe RecordWriter.write(
        .hitch, id: identifier, detail: HitchRule.shown.rawValue, UInt64(hitch.number),
        UInt64(bitPattern: hitch.lateness), at: place)
    }
  }
}
#endif
