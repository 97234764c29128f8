internal import FlamelarkTrace

/// Frames that came behind their targets and no later than those before them: a queue is full, or a frame
/// takes longer from its beginning to the display than it should. No hitch, but what a hand on the screen
/// feels.
public struct LatencyRuns: Sendable, Equatable {
  /// Shown frames one behind the other that are all behind their targets.
  public struct Run: Sendable, Equatable {
    /// The number of the first.
    public let firstFrame: Int
    /// How many.
    public internal(set) var frames: Int
    /// How far behind their targets they are together, in nanoseconds.
    public internal(set) var behind: Int64

    /// How far behind their targets on average, in nanoseconds.
    public var mean: Int64 { behind / Int64(max(1, frames)) }
  }

  /// In the order of their frames.
  public let runs: [Run]
  /// How far behind, of all: percentiles by nearest rank, and the greatest; nil without such frames.
  public let behind: SpanStatistics.Durations?

  /// How many frames.
  public var frames: Int { runs.reduce(0) { $0 + $1.frames } }
  /// How far behind their targets on average, in nanoseconds.
  public var mean: Int64 { runs.reduce(Int64(0)) { $0.plus($1.behind) } / Int64(max(1, frames)) }
  /// The longest run, the first of equals; nil without any.
  public var longest: Run? { runs.max { $0.frames < $1.frames } }

  /// nil where it isn't known when frames were shown.
  init?(_ judged: JudgedFrames) {
    guard judged.series.mode == .presented else { return nil }
    var runs: [Run] = []
    var all: [Int64] = []
    var isOpen = false
    for frame in judged.frames {
      guard case .shown(let behind) = frame.display else { continue }
      defer { isOpen = behind > 0 }
      guard behind > 0 else { continue }
      all.append(behind)
      if !isOpen { runs.append(Run(firstFrame: frame.number, frames: 0, behind: 0)) }
      runs[runs.count - 1].frames += 1
      runs[runs.count - 1].behind = runs[runs.count - 1].behind.plus(behind)
    }
    self.runs = runs
    behind = SpanStatistics.Durations(all[...])
  }
}
