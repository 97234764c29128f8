public import FlamelarkAnalysis
public import FlamelarkTrace

/// Why one frame was late: what `flamelark hitch` says.
public struct HitchReport: Sendable {
  let trace: Trace
  let series: Trace.FrameSeries
  let hitch: Hitch
  let cluster: HitchCluster?
  let steps: [CriticalStep]
  let file: String
  /// The words that choose the series in a command that the report suggests.
  let choice: [String]

  /// Tells of a hitch. `steps` is its critical path, `file` the trace's name for the header, `frames`
  /// the `--frames NAME` that was given.
  public init(
    of hitch: Hitch, in blame: Blame, trace: Trace, steps: [CriticalStep], file: String,
    frames: String? = nil
  ) {
    self.init(
      of: hitch, series: blame.frames.series,
      cluster: blame.clusters.indices.contains(hitch.cluster) ? blame.clusters[hitch.cluster] : nil,
      trace: trace, steps: steps, file: file, frames: frames)
  }

  init(
    of hitch: Hitch, series: Trace.FrameSeries, cluster: HitchCluster?, trace: Trace,
    steps: [CriticalStep], file: String, frames: String?
  ) {
    self.trace = trace
    self.series = series
    self.hitch = hitch
    self.cluster = cluster
    self.steps = steps
    self.file = file
    if let frames {
      choice = ["--frames \(shellWord(frames))"]
    } else {
      choice = trace.frameSeries.count > 1 ? ["--series \(shellWord(series.name))"] : []
    }
  }

  /// What the loop's own thread is for.
  var loop: String { trace.loopRole(of: series) }

  func wallClock(at time: Int64) -> WallClock? {
    WallClock(zero: trace.wallClockZero, offset: time)
  }
}
