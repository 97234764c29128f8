internal import FlamelarkFormat
internal import FlamelarkTrace

/// The time from one frame to the next.
struct FrameStep: Sendable, Equatable {
  /// The number of the frame whose time it is: of a loop's pass the one that began it, of a display
  /// the one whose coming ended it.
  let number: Int
  /// How long it was, in nanoseconds; not negative.
  let elapsed: Int64
  /// When it ended.
  let end: Int64
  /// The interval that the display link gave where it ended: that of the next frame, where there is
  /// one.
  let intervalAtEnd: Int64
  /// Nothing lies between it and the one before it in the list.
  let follows: Bool
}

extension JudgedFrames {
  /// The times from one frame's timestamp to the next one's, in the order of frames. O(frames).
  ///
  /// No time is known of the last frame, nor of one behind which the series paused, rested or broke
  /// off: the next one follows nothing. A frame that is a span has its duration where the next
  /// frame doesn't tell.
  func frameTimes() -> [FrameStep] {
    let rests = series.restsByFrame()
    var times: [FrameStep] = []
    var next: Int?
    for (position, frame) in frames.enumerated() {
      let raw = series.frames[frame.number]
      let isSpan = series.mode == .spans && raw.span != nil
      let hasRest = !isSpan && rests[frame.number] != nil
      guard !hasRest, let elapsed = elapsed(frame, raw) else { continue }
      let after = position + 1 < frames.count ? frames[position + 1] : nil
      let isNext = after?.number == frame.number + 1
      times.append(
        FrameStep(
          number: frame.number, elapsed: elapsed, end: raw.timestamp.plus(elapsed),
          intervalAtEnd: linkInterval(of: isNext ? after ?? frame : frame),
          follows: next == frame.number))
      // The gap between two spans may have been a rest.
      next = isSpan && frame.idleTime > 0 ? nil : frame.number + 1
    }
    return times
  }

  /// The times that the display showed each frame before the next: from shown to shown, where that
  /// is known, else ``frameTimes()``. O(frames).
  ///
  /// A dropped frame lengthens the time. Where nobody told of a frame, none is known.
  func displayTimes() -> [FrameStep] {
    guard series.mode == .presented else { return frameTimes() }
    var times: [FrameStep] = []
    var last: Int?
    for frame in frames where frame.isCountable && !frame.isIdle && frame.idleTime == 0 {
      guard let shown = series.frames[frame.number].presented,
        let before = shownBefore(frame.number)
      else { continue }
      times.append(
        FrameStep(
          number: frame.number, elapsed: max(0, frame.activeTime), end: shown,
          intervalAtEnd: linkInterval(of: frame), follows: last == before))
      last = frame.number
    }
    return times
  }

  /// What ``displayTimes()`` are.
  var displayTime: FrameRule.Time { series.mode == .presented ? .shownToShown : .frameToFrame }

  private func elapsed(_ frame: Frame, _ raw: Trace.Frame) -> Int64? {
    guard series.mode == .presented else {
      let isKnown = frame.isActive && (frame.idleTime == 0 || raw.span != nil)
      return isKnown ? max(0, frame.activeTime) : nil
    }
    // The verdict of such a frame is about when it was shown: its timestamps stand in the record.
    guard frame.number + 1 < series.frames.count, raw.isRequested != false else { return nil }
    let next = series.frames[frame.number + 1]
    let elapsed = next.timestamp.minus(raw.timestamp)
    guard raw.isPlausible, next.isPlausible, !next.beginsSegment, elapsed >= 0 else { return nil }
    if raw.isRequested == nil, let end = raw.end,
      Lateness.isIdle(
        elapsed: elapsed, waiting: next.begin.minus(end), interval: linkInterval(of: frame))
    {
      return nil
    }
    return elapsed
  }

  /// The interval of the display link at a frame. In a pipeline the target may lie further ahead.
  private func linkInterval(of frame: Frame) -> Int64 {
    guard series.mode == .presented, let interval = series.frames[frame.number].interval,
      Lateness.plausibleInterval.contains(interval)
    else { return frame.interval }
    return min(interval, frame.interval)
  }

  /// The last frame shown before another, nil if there was one between of which nobody told, or for
  /// which nobody asked.
  private func shownBefore(_ number: Int) -> Int? {
    for index in (0..<number).reversed() {
      let before = series.frames[index]
      if before.isRequested == false { return nil }
      if before.presented != nil { return index }
      if !before.isDiscarded { return nil }
    }
    return nil
  }
}
