/// Frames that are compared with each other: of one rate and one tag.
public struct Stratum: Sendable, Equatable {
  /// The interval that stands for its rate, in nanoseconds: one of ``JudgedFrames/rates``.
  public let interval: Int64
  /// The tag of its frames, nil if they have none.
  public let tag: String?
  /// How many frames it has.
  public let frameCount: Int
  /// How many frames its normal is the mean of.
  public let goodFrames: Int
  /// It has too few good frames of its own: its normal is that of the whole series.
  public let isWidened: Bool
  /// The whole series has hardly any good frames: its normal is the fastest quarter of all, its own
  /// if they are enough.
  public let isSystemic: Bool
}
