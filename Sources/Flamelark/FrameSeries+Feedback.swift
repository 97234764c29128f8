// MARK: - What is learnt of a frame later

extension FrameSeries {
  /// Says when a frame was shown.
  ///
  /// Once this or ``discarded(_:)`` is called, the series is judged by when its frames were shown, and
  /// not by when the program began them. Call it on any thread and in any order, within the next 256
  /// frames; what comes later, or is of another recording or of a frame that nobody follows, does
  /// nothing. Say of each frame one or the other: what nothing is said of counts as shown in time.
  /// Costs some 900 instructions.
  ///
  /// - Parameters:
  ///   - frame: Which frame: ``OpenFrame/id``.
  ///   - time: When it became visible, by the display's or the compositor's word.
  @inlinable @inline(__always)
  public func presented(_ frame: FrameID, at time: SuspendingClock.Instant) {
    #if !CompiledOut
    if frame.isFollowed { recorder.presented(frame, at: time) }
    #endif
  }

  /// Says that a frame was not shown and won't be.
  ///
  /// Its place shows as the lateness of the next frame that is shown. The rest is as with
  /// ``presented(_:at:)``.
  @inlinable @inline(__always)
  public func discarded(_ frame: FrameID) {
    #if !CompiledOut
    if frame.isFollowed { recorder.discarded(frame) }
    #endif
  }
}

// MARK: - When no frame is wanted

extension FrameSeries {
  /// Says that no frame follows until ``resume()``: the loop stops, or its window is hidden.
  ///
  /// The next frame is a first frame, which nothing before it makes late. In a loop of ``mark()`` the
  /// frame that runs ends here. The pause is neither lateness nor active time.
  @inlinable @inline(__always)
  public func pause() {
    #if !CompiledOut
    recorder.pause()
    #endif
  }

  /// Ends a pause. So does the next frame.
  @inlinable @inline(__always)
  public func resume() {
    #if !CompiledOut
    recorder.resume()
    #endif
  }

  /// Says that no frame is asked for from here on: nothing changes on the screen.
  ///
  /// The frame that runs is judged by when it ends itself; in a loop of ``mark()`` that is here. Until
  /// ``needsFrame()`` there is neither lateness nor active time, also if frames go on. A program that
  /// says such things is never guessed to rest.
  @inlinable @inline(__always)
  public func needsNoFrame() {
    #if !CompiledOut
    recorder.needsNoFrame()
    #endif
  }

  /// Says that frames are asked for again, from the next one on.
  ///
  /// Before the end of the frame in which ``needsNoFrame()`` was said, it takes that back.
  @inlinable @inline(__always)
  public func needsFrame() {
    #if !CompiledOut
    recorder.needsFrame()
    #endif
  }
}
