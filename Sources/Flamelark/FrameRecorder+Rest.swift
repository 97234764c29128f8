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
    need.store(RunningFrame.Need.frames.rawValue, ordering: .relaxed)
    note(.needsFrame)
  }

  @usableFromInline
  func needsNoFrame() {
    need.store(RunningFrame.Need.noFrames.rawValue, ordering: .relaxed)
    note(.needsNoFrame)
  }

  /// Takes in how the series goes on.
  private func note(_ change: SeriesChange) {
    if isFollowed { note(change, at: fl_monotonic()) }
  }

  func note(_ change: SeriesChange, at now: Int64) {
    follow { state, isRecorded, calls in
      if isRecorded { record(change, at: now, &state) }
      state.watch?.change(change, at: now, &calls)
    }
  }

  private func record(_ change: SeriesChange, at now: Int64, _ state: inout State) {
    guard unsafe room(&state) != nil else { return }
    report(state.frame.change(change, at: now), &state)
    guard let place = unsafe room(&state) else { return }
    unsafe RecordWriter.write(
      .seriesChange, id: identifier, detail: change.rawValue,
      UInt64(bitPattern: state.frame.number), UInt64(bitPattern: now), at: place)
  }
}
#endif
