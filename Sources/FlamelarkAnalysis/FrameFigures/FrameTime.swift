/// How long a frame stood: what it adds to the active time of its series.
///
/// From its timestamp to that of the next one, or from when the frame before it was shown to when it was.
public struct FrameTime: Sendable, Equatable {
  /// The number of the frame in its series.
  public let number: Int
  /// When its time begins.
  public let start: Int64
  /// Its frame time, in nanoseconds: more than 0.
  public let duration: Int64
  /// How long it should have stood, in nanoseconds.
  public let interval: Int64
  /// By how much it was late, in nanoseconds.
  public let lateness: Int64

  /// How long it should have stood at most: up to here it is in time.
  public var due: Int64 { max(0, duration.minus(lateness)) }
}

extension JudgedFrames {
  /// The frame times of those that have one, in the order of their numbers.
  var times: [FrameTime] {
    frames.compactMap { frame in
      guard frame.isActive, frame.activeTime > 0 else { return nil }
      return FrameTime(
        number: frame.number, start: frame.window.lowerBound, duration: frame.activeTime,
        interval: max(1, frame.slot), lateness: frame.lateness)
    }
  }
}
