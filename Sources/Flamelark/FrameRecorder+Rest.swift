#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

extension FrameRecorder {
  @usableFromInline
  func pause() { note(.paused) }

  @usableFromInline
  func resume() { note(.resumed) }

  @usableFromInline
  func needsFrame() {
    need.store(Need.frames.rawValue, ordering: .relaxed)
    note(.needsFrame)
  }

  @usableFromInline
  func needsNoFrame() {
    need.store(Need.noFrames.rawValue, ordering: .relaxed)
    note(.needsNoFrame)
  }

  /// Records how the series goes on.
  private func note(_ change: SeriesChange) {
    guard fl_enter_to_record() else { return }
    defer { fl_leave() }
    let now = fl_monotonic()
    state.withLock { state in
      guard unsafe room(&state) != nil else { return }
      apply(change, at: now, to: &state)
      guard let place = unsafe room(&state) else { return }
      unsafe RecordWriter.write(
        .seriesChange, id: identifier, detail: change.rawValue, UInt64(bitPattern: state.number),
        UInt64(bitPattern: now), at: place)
    }
  }

  private func apply(_ change: SeriesChange, at now: Int64, to state: inout State) {
    guard state.number >= 0 else { return }
    switch change {
    case .paused: if state.pauseBegin == nil { state.pauseBegin = now }
    case .needsNoFrame: if state.restBegin == nil { state.restBegin = now }
    case .needsFrame:
      // Said before the frame's work was done: there was no rest.
      if state.mode == .displayLink, state.end == nil { state.restBegin = nil }
      return
    case .resumed: return
    }
    switch state.mode {
    case .marks: reportLateness(&state, end: now)
    case .displayLink: state.end.map { reportLateness(&state, end: $0) }
    }
  }
}
#endif
