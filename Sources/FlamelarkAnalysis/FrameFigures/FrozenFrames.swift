/// Frames that stood for so long that the program seemed to hang.
public struct FrozenFrames: Sendable, Equatable {
  /// A frame time from which on a frame is frozen: 700 ms, as Android's vitals have it.
  public static let least: Int64 = 700_000_000

  /// How many.
  public let count: Int
  /// Their frame times together, in nanoseconds.
  public let time: Int64
  /// The hitch ratio without them, neither their lateness nor their time, in ms/s.
  public let ratioWithout: Double

  init(_ times: [FrameTime], hitchTime: Int64, activeTime: Int64) {
    let frozen = times.filter { $0.duration >= Self.least }
    count = frozen.count
    time = frozen.reduce(0) { $0.plus($1.duration) }
    let late = frozen.reduce(Int64(0)) { $0.plus($1.lateness) }
    let rest = activeTime.minus(time)
    ratioWithout = rest > 0 ? Double(hitchTime.minus(late)) / Double(rest) * 1000 : 0
  }
}
