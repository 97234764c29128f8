/// Frames per second.
///
/// Windows are of active time and have no gaps: one begins where the one before it ended, at the end of the
/// frame with which that had a second. So every frame is in one, but for the last frames, which have no whole
/// second.
public struct FrameRate: Sendable, Equatable {
  /// Some frames with at least a second of active time.
  public struct Window: Sendable, Equatable {
    /// When the time of its first frame begins.
    public let start: Int64
    /// How many frames.
    public let frames: Int
    /// Their frame times together, in nanoseconds.
    public let time: Int64

    /// Its frames over its time.
    public var framesPerSecond: Double { FrameRate.framesPerSecond(frames, in: time) }
  }

  /// The active time of a window: at least a second.
  public static let windowTime: Int64 = 1_000_000_000

  /// All frames over all active time; nil without frames.
  public let mean: Double?
  /// The windows, in order.
  public let windows: [Window]
  /// The frames that are in no window.
  public let leftOver: Int
  /// The rate that half of the windows are not above, by nearest rank; nil without windows.
  public let median: Double?
  /// The rate of the slowest window, nil without windows.
  public let least: Double?

  init(_ times: [FrameTime]) {
    var windows: [Window] = []
    var start: Int64?
    var frames = 0
    var time: Int64 = 0
    var sum: Int64 = 0
    for frame in times {
      start = start ?? frame.start
      frames += 1
      time = time.plus(frame.duration)
      sum = sum.plus(frame.duration)
      guard time >= Self.windowTime else { continue }
      windows.append(Window(start: start ?? frame.start, frames: frames, time: time))
      (start, frames, time) = (nil, 0, 0)
    }
    let rates = windows.map(\.framesPerSecond).sorted()
    self.windows = windows
    mean = times.isEmpty ? nil : Self.framesPerSecond(times.count, in: sum)
    leftOver = frames
    median = NearestRank.value(perMille: 500, of: rates)
    least = rates.first
  }

  /// Frames over a time in nanoseconds.
  public static func framesPerSecond(_ frames: Int, in time: Int64) -> Double {
    time > 0 ? Double(frames) * 1e9 / Double(time) : 0
  }
}
