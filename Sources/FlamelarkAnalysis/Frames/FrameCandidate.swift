public import FlamelarkTrace

/// Spans or instants of one name that could be the frames of a trace that has none of its own.
public struct FrameCandidate: Sendable, Equatable {
  /// What its frames would be.
  public enum Kind: String, Sendable {
    /// Spans: a frame ends with its span.
    case span
    /// Instants: a frame ends where the next begins.
    case instant
  }

  /// The name that `--frames` takes.
  public let name: String
  /// What its frames would be.
  public let kind: Kind
  /// How many there are.
  public let count: Int
  /// The part of its thread's time that they cover, 0…1; of instants from the first to the last.
  public let coverage: Double
  /// The name of the thread.
  public let track: String
}

/// What the frames of a trace without frames of its own are.
public enum FrameChoice: Sendable {
  /// There is one clear answer.
  case series(Trace.FrameSeries)
  /// There are several, or none is clear; most likely first.
  case ambiguous([FrameCandidate])
  /// Nothing repeats like a frame.
  case none
}
