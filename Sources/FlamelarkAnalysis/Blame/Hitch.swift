public import FlamelarkTrace

/// A late frame and what made it late.
public struct Hitch: Sendable {
  /// Whose lateness it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// The loop itself, or what it waited for, took too long.
    case appLate = "app late"
    /// What comes behind the loop took too long: a stage on another thread, the display.
    case renderLate = "render late"
    /// An earlier frame took too long, and this one had to wait for it.
    case inherited
    /// Earlier frames still ran, and none of them did more than normal.
    case pipelineFull = "pipeline full"
    /// The system let the program's threads wait for a processor, or stopped it.
    case paused = "paused by the system"
    /// Less than half of it is explained.
    case unknown
  }

  /// The frame; its number counts from 0.
  public let frame: Trace.Frame
  /// When its time was spent.
  public let window: Range<Int64>
  /// What it might have taken, in nanoseconds.
  public let budget: Int64
  /// By how much it was late, in nanoseconds.
  public let lateness: Int64
  /// What made it late: all of it, largest first. Their blame adds up to ``lateness`` exactly.
  public let causes: [Cause]
  /// Whose lateness it is.
  public let kind: Kind
  /// The number of the frame in which the time was lost: its own, or an earlier one's if it is
  /// `inherited`.
  public let root: Int
  /// The part of the lateness that is borne by what the trace has a name for: 0…1.
  ///
  /// Not explained is what is `other`, `backlog`, `uninstrumented`.
  public let explained: Double
  /// By how many standard deviations of good frames the first cause is above normal. nil: good frames
  /// don't differ, or the first cause has no time of its own.
  public let deviations: Double?
  /// What it is alike to: an index into ``Blame/clusters``.
  public let cluster: Int
}

extension Hitch {
  init(frame: Trace.Frame, judged: JudgedFrames.Frame, causes: [Cause]) {
    self.frame = frame
    window = judged.window
    budget = judged.budget
    lateness = judged.lateness
    self.causes = causes
    let named = causes.reduce(Int64(0)) {
      $0 + ($1.kind == .span || $1.kind == .folded ? $1.blame : 0)
    }
    explained = Double(named) / Double(max(1, lateness))
    kind = explained < 0.5 ? .unknown : .appLate
    root = frame.number
    deviations = nil
    cluster = 0
    // Law 2, where it is shown: the lines add up.
    precondition(
      causes.reduce(0) { $0 + $1.blame } == lateness,
      "the causes of frame \(frame.number) don't add up to its lateness")
  }
}
