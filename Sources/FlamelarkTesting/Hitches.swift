internal import FlamelarkAnalysis
internal import FlamelarkReport

/// What the frames of a measurement were like.
///
/// The figures are those of `flamelark blame` for the same traces: a frame that comes later than it is
/// due by more than max(0.25 ms, 3 % of its interval) is a hitch, and its whole lateness counts.
public struct Hitches: Sendable {
  /// The name of the frame series that was judged.
  public let series: String
  /// The runs of the closure, at least one, in their order.
  public let iterations: [Iteration]
  /// What made frames late, over all iterations, largest first. Adds up to ``totalLateness``.
  ///
  /// What is normal is found in each iteration for itself; causes of the same kind, thread and path are
  /// the same.
  public let causes: [Cause]
  /// The part of the lateness that is borne by causes that stand out, 0…1; 1 without hitches.
  public let explained: Double
  /// Records that the recorder lost.
  let lost: UInt64
  let view: View
  let folder: TraceFolder

  /// What a command needs to show the same frames.
  struct View: Sendable {
    var selection: FrameSelection
    /// The traces have other series too.
    var namesSeries: Bool
  }

  /// One run of the closure.
  public struct Iteration: Sendable {
    /// Counted from 1.
    public let number: Int
    /// How many hitches.
    public let count: Int
    /// The sum of their lateness.
    public let totalLateness: Duration
    /// The time in which frames were wanted.
    public let activeTime: Duration
    /// How many frames that have an end and were wanted; dropped ones are none.
    public let frameCount: Int
    /// The latest frame, nil without hitches.
    public let worst: LateFrame?
    /// How often a thread of this process had to leave its processor to another while the closure ran.
    public let preemptions: Int
    /// The path of its trace. It is there as long as ``Hitches/traces`` says.
    public let trace: String

    /// Milliseconds of lateness in a second of active time: 0…1000.
    public var ratio: Double { milliseconds(of: totalLateness, inSecondOf: activeTime) }
  }

  /// A frame that was late.
  public struct LateFrame: Sendable, Equatable {
    /// In which iteration, from 1.
    public let iteration: Int
    /// Its number in the trace, from 0.
    public let number: Int
    /// By how much it was late.
    public let lateness: Duration
  }

  /// What made frames late.
  public struct Cause: Sendable, Equatable {
    /// The names of spans from the root on; empty for what lies in no span.
    public let path: [String]
    /// The source file with most of its late time, nil if not known.
    public let file: String?
    /// The line in ``file``, 0 if not known.
    public let line: Int
    /// The lateness that it bears.
    public let blame: Duration
    /// The same in a second of active time of all iterations, in ms/s.
    public let ratio: Double
    /// Its part of all lateness: 0…1.
    public let share: Double
    /// What stands before the path in a report, and the names of the path there, all printable.
    let lead: String
    let names: [String]
    /// In how many hitches it bears lateness.
    public let hitchCount: Int
    /// The hitch ratio of the measurement if it had always cost what it normally does, in ms/s, by
    /// replay. nil where that can't be told; only the greatest causes are replayed.
    public let ratioIfNormal: Double?

    /// The path as a person reads it, with its thread or what it is: `layout > text.parse`,
    /// `(uninstrumented)`.
    public var name: String { lead + names.joined(separator: " > ") }
  }
}

// MARK: - Over all iterations

extension Hitches {
  /// Milliseconds of lateness in a second of active time, over all iterations together: 0…1000.
  public var ratio: Double { milliseconds(of: totalLateness, inSecondOf: activeTime) }

  /// That of each iteration.
  public var ratios: [Double] { iterations.map(\.ratio) }

  /// The ratio that half of the iterations don't exceed, by nearest rank.
  public var p50Ratio: Double { ratio(percentile: 50) }

  /// The ratio that nine of ten iterations don't exceed, by nearest rank: of fewer than ten the greatest.
  public var p90Ratio: Double { ratio(percentile: 90) }

  /// How many hitches.
  public var count: Int { iterations.reduce(0) { $0 + $1.count } }

  /// The sum of their lateness.
  public var totalLateness: Duration { iterations.reduce(.zero) { $0 + $1.totalLateness } }

  /// The time in which frames were wanted.
  public var activeTime: Duration { iterations.reduce(.zero) { $0 + $1.activeTime } }

  /// How many frames that have an end and were wanted; dropped ones are none.
  public var frameCount: Int { iterations.reduce(0) { $0 + $1.frameCount } }

  /// Frames in a second of active time.
  public var framesPerSecond: Double { Double(frameCount) / (activeTime / .seconds(1)) }

  /// The latest frame, of equals the first; nil without hitches.
  public var worst: LateFrame? {
    iterations.compactMap(\.worst).reduce(nil) { worst, frame in
      worst.map { $0.lateness >= frame.lateness ? $0 : frame } ?? frame
    }
  }

  /// How often a thread of this process had to leave its processor to another while the closure ran:
  /// what makes frames late that are not to blame, on a machine that does other things.
  public var preemptions: Int { iterations.reduce(0) { $0 + $1.preemptions } }

  private func ratio(percentile percent: Int) -> Double {
    NearestRank.value(perMille: percent * 10, of: ratios.sorted()) ?? 0
  }
}

// MARK: - Traces

extension Hitches {
  /// The paths of the traces, one an iteration.
  ///
  /// They are removed with the last copy of this value, unless it was described, as a failed
  /// expectation does, ``keepTraces()`` was called, or a folder was named for them.
  public var traces: [String] { iterations.map(\.trace) }

  /// Lets the traces stay where they are.
  ///
  /// - Returns: Their paths.
  @discardableResult
  public func keepTraces() -> [String] {
    folder.keep()
    return traces
  }
}

private func milliseconds(of lateness: Duration, inSecondOf time: Duration) -> Double {
  time > .zero ? lateness / time * 1000 : 0
}
