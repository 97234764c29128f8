#if !CompiledOut
/// What a monitor has of the second that runs.
struct MonitorWindow {
  /// The first frame in it.
  private(set) var first: Int64?
  private var frames = 0
  private var hitches = 0
  private var hitchTime: Int64 = 0
  private var activeTime: Int64 = 0
  private var worst = (number: Int64(-1), lateness: Int64(0), duration: Int64(-1))

  private static let second: Int64 = 1_000_000_000

  /// Takes in a frame. The one with which the active time has come to a second closes it, and the next
  /// second begins empty: no frame is between them, and none in both. `recorded` says which numbers frames
  /// have in the recording: from one on, so many more.
  ///
  /// - Returns: What there was in it, if that was a second.
  mutating func add(
    _ number: Int64, lateness: Int64, activeTime duration: Int64,
    recorded: (first: Int64, offset: Int64)?
  ) -> FrameMonitor.Second? {
    if first == nil { first = number }
    frames += 1
    if lateness > 0 {
      hitches += 1
      // Less than the active time, whose sum is at most a second and one frame.
      hitchTime += lateness
    }
    activeTime += duration
    if (lateness, duration) > (worst.lateness, worst.duration) {
      worst = (number, lateness, duration)
    }
    guard activeTime >= Self.second else { return nil }
    defer { self = MonitorWindow() }
    return FrameMonitor.Second(
      frames: frames, hitches: hitches, hitchNanoseconds: hitchTime,
      activeNanoseconds: activeTime,
      worstFrame: FrameMonitor.Frame(
        number: recorded.flatMap { worst.number >= $0.first ? worst.number + $0.offset : nil },
        nanoseconds: worst.duration, lateNanoseconds: worst.lateness))
  }
}
#endif
