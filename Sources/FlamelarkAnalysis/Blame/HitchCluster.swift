/// Hitches that are alike: late for the same reason.
public struct HitchCluster: Sendable, Equatable {
  /// What they have in common: kind of hitch, kind of cause, and path, with digits cut out of names,
  /// so that it is the same in the next recording. "mixed" where no cause bears half.
  public let signature: String
  /// The numbers of their frames, ascending.
  public let frames: [Int]
  /// Their lateness together, in nanoseconds.
  public let lateness: Int64
}
