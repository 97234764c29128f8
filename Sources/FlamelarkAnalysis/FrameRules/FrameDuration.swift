internal import FlamelarkFormat
internal import FlamelarkTrace

/// How long the program took for a frame, and how long it might.
struct FrameDuration: Sendable, Equatable {
  /// The number of the frame.
  let number: Int
  /// When it began.
  let timestamp: Int64
  /// From its timestamp to when the program had it ready, in nanoseconds; not negative.
  let duration: Int64
  /// From its timestamp to its target.
  let expected: Int64
}

extension JudgedFrames {
  /// How long the program took for each frame of which that is known, in the order of their
  /// numbers. O(frames).
  ///
  /// A frame of a display link goes from its timestamp to its `end()`, where that wasn't said to
  /// the next timestamp; a marked one to the next mark, or to a rest before it; a span has its
  /// duration. Frames that were dropped count too. Those that nobody asked for don't.
  func frameDurations() -> [FrameDuration] {
    frames.compactMap { frame in
      let raw = series.frames[frame.number]
      guard raw.isPlausible, raw.isRequested != false, let duration = duration(of: frame, raw)
      else {
        return nil
      }
      return FrameDuration(
        number: frame.number, timestamp: raw.timestamp, duration: max(0, duration),
        expected: max(0, frame.interval))
    }
  }

  private func duration(of frame: Frame, _ raw: Trace.Frame) -> Int64? {
    switch series.mode {
    case .spans where raw.span != nil: frame.isActive ? frame.window.duration : nil
    case .marks, .spans: frame.isActive ? frame.activeTime : nil
    case .displayLink:
      if let end = raw.end {
        Lateness.plausibleTimes.contains(end) ? end.minus(raw.timestamp) : nil
      } else {
        frame.isActive && frame.idleTime == 0 ? frame.activeTime : nil
      }
    case .presented:
      // Its window ends when the program had it ready, stages on other threads among it.
      raw.end == nil && frame.window.upperBound <= raw.timestamp
        || !Lateness.plausibleTimes.contains(frame.window.upperBound)
        ? nil : frame.window.upperBound.minus(raw.timestamp)
    }
  }
}
