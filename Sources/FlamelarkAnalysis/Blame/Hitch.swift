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
  /// The part of the lateness that is borne by causes that stand out: 0…1.
  ///
  /// A cause stands out if it took over three standard deviations of good frames more than its mean, seven
  /// if it bears less than half, and if it bears at least a fifth, and more than its part of a good frame: odds at least twice as high. What
  /// is `other`, `backlog` or `uninstrumented` has no name, and explains nothing.
  public let explained: Double
  /// By how many standard deviations of good frames the first cause is above normal. nil: good frames
  /// don't differ, or the first cause has no time of its own.
  public let deviations: Double?
  /// What it is alike to: an index into ``Blame/clusters``.
  public let cluster: Int
}

extension Hitch {
  /// What is made out of a hitch's parts.
  struct Verdict {
    var kind: Kind
    var root: Int
    var explained: Double
  }

  init(
    frame: Trace.Frame, judged: JudgedFrames.Frame, causes: [Cause], verdict: Verdict,
    deviations: Double?, cluster: Int
  ) {
    self.frame = frame
    window = judged.window
    budget = judged.budget
    lateness = judged.lateness
    self.causes = causes
    kind = verdict.kind
    root = verdict.root
    explained = verdict.explained
    self.deviations = deviations
    self.cluster = cluster
    // Law 2, where it is shown: the lines add up.
    let sum = causes.reduce(0) { $0 + $1.blame }
    Law.causesAddUp.check(sum == lateness, frame: frame.number, "\(sum) of \(lateness) ns")
  }
}

extension Hitch.Verdict {
  /// Whose lateness a hitch is, by where its parts lie.
  init(
    of line: BlameLedger.Line, in judged: JudgedFrames, _ phases: FramePhases
  ) {
    let frame = judged.frames[line.frame]
    let lateness = frame.lateness
    let first = line.frame - frame.placesBack
    func sum(_ isMeant: (Cause.Kind) -> Bool) -> Int64 {
      line.causes.reduce(0) { isMeant($1.kind) ? $0 + $1.blame : $0 }
    }
    explained = Double(line.explained) / Double(max(1, lateness))
    root = frame.number
    let earlier = line.parts.groups.filter { $0.phase.frame < first }
    let own = line.parts.groups.filter { $0.phase.frame >= first }
    let render = own.filter { phases[$0.phase.number].position > 0 }.reduce(0) { $0 + $1.blame }
    func isHalf(_ amount: Int64) -> Bool { amount > 0 && amount >= lateness - amount }
    if isHalf(sum { $0 == .preempted }) {
      kind = .paused
    } else if isHalf(line.parts.backlog) {
      kind = .pipelineFull
    } else if isHalf(earlier.reduce(0) { $0 + $1.blame }) {
      kind = .inherited
      var byFrame: [Int: Int64] = [:]
      for group in earlier { byFrame[group.phase.frame, default: 0] += group.blame }
      let most = byFrame.max { ($0.value, $1.key) < ($1.value, $0.key) }
      root = most.map { judged.frames[$0.key].number } ?? root
    } else if judged.series.isPipeline, frame.window.upperBound <= frame.target {
      // It was ready in time, and shown late.
      kind = .renderLate
    } else if explained < 0.5 {
      kind = .unknown
    } else {
      kind = isHalf(render) ? .renderLate : .appLate
    }
  }
}
