extension Trace {
  /// The clock of a device, which gave the spans of a track their times.
  public struct DeviceClock: Sendable, Equatable {
    /// The name of the track.
    public var track: String
    /// The rate that the program says.
    public var ticksPerSecond: UInt64
    /// How often it was related to the system's clock in a way that the rate allows.
    public var relations: Int
    /// By how much more a second it takes for its ticks of a second, in millionths; nil: it was not
    /// related at two times.
    public var drift: Double?

    /// Creates a clock.
    public init(track: String, ticksPerSecond: UInt64, relations: Int, drift: Double?) {
      self.track = track
      self.ticksPerSecond = ticksPerSecond
      self.relations = relations
      self.drift = drift
    }
  }
}

extension Trace.Track {
  /// What a thread is for: its name without the number at its end, as "worker" of "worker 3" and
  /// "worker-12". nil of rows that are no threads.
  public var role: String? {
    guard kind == .thread else { return nil }
    let end = name.unicodeScalars.reversed().prefix { $0.isASCII && !$0.properties.isAlphabetic }
    let hasNumber = end.contains { ("0"..."9").contains($0) }
    guard hasNumber, end.count < name.unicodeScalars.count else { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.dropLast(end.count)))
  }

  /// What rows that stand for each other have in common: the role of a thread, "tasks", else the name.
  package var sharedName: String { kind == .task ? "tasks" : role ?? name }
}
