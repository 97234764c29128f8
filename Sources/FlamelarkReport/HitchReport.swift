public import FlamelarkAnalysis
public import FlamelarkTrace

/// Why one frame was late: what `flamelark hitch` says.
public struct HitchReport: Sendable {
  let trace: Trace
  let series: Trace.FrameSeries
  let hitch: Hitch
  /// The hitches that are like it, nil if there are none.
  let alike: LikeHitches?
  let steps: [CriticalStep]
  /// What commands have that show the same.
  let view: SameView

  /// Tells of a hitch. `steps` is its critical path, `view` the trace's name and what was asked for in
  /// words, for the header and for the commands that the report suggests.
  public init(
    of hitch: Hitch, in blame: Blame, trace: Trace, steps: [CriticalStep], view: SameView
  ) {
    let cluster =
      blame.clusters.indices.contains(hitch.cluster) ? blame.clusters[hitch.cluster] : nil
    self.init(
      of: hitch, series: blame.frames.series,
      alike: cluster.map { LikeHitches($0, of: blame.hitches) },
      trace: trace, steps: steps, view: view)
  }

  init(
    of hitch: Hitch, series: Trace.FrameSeries, alike: LikeHitches?, trace: Trace,
    steps: [CriticalStep], view: SameView
  ) {
    self.trace = trace
    self.series = series
    self.hitch = hitch
    self.alike = alike
    self.steps = steps
    self.view = view.only(series.name, among: trace.frameSeries.count)
  }

  /// The name of the file.
  var file: String { view.file }

  /// What the loop's own thread is for.
  var loop: String { trace.loopRole(of: series) }
}
