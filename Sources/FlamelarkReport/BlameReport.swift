internal import FlamelarkAnalysis
public import FlamelarkTrace

/// Why the frames of a trace were late: what `flamelark blame` says.
public struct BlameReport: Sendable {
  /// What was asked for.
  public struct Options: Sendable {
    /// What is good.
    public var scale = HitchScale.scroll
    /// Which frames it speaks of.
    public var selection = FrameSelection()
    /// The interval that a frame may take, in nanoseconds.
    public var refresh: Int64?
    /// What the threads are for whose causes are listed; nil: all. The others are summed up.
    public var threads: Set<String>?

    /// Everything in the trace.
    public init() {}
  }

  let view: SameView
  let trace: Trace
  let options: Options
  let series: [Judgement]

  /// Blames the hitches of some series of a trace. `view` is its name and what was asked for in words,
  /// for the header and for the commands that the report suggests.
  public init(
    of trace: Trace, series: [Trace.FrameSeries], view: SameView, options: Options = .init()
  ) {
    self.init(
      of: trace,
      judgements: series.map { series in
        let ranges = options.selection.ranges(of: series, in: trace, refresh: options.refresh)
        var asked = Blame.Options()
        asked.refresh = options.refresh
        asked.ranges = ranges
        return Judgement(
          Blame(of: trace, series: series, options: asked), ranges: ranges, options: options)
      }, view: view, options: options)
  }

  init(of trace: Trace, judgements: [Judgement], view: SameView, options: Options) {
    self.view = view
    self.trace = trace
    self.options = options
    series = judgements
  }

  /// The hitch ratio of the worst series, in ms/s.
  public var hitchRatio: Double { worst?.frames.hitchRatio ?? 0 }

  /// How many frames the report speaks of.
  public var frameCount: Int { series.reduce(0) { $0 + $1.frames.frames.count } }

  /// The series that gives the verdict: that of the greatest ratio, the first of equals.
  var worst: Judgement? {
    series.enumerated().min {
      ($1.element.frames.hitchRatio, $0.offset) < ($0.element.frames.hitchRatio, $1.offset)
    }?.element
  }

  /// The name of the file.
  var file: String { view.file }

  /// What commands have that show one of the series.
  func view(of series: Judgement) -> SameView {
    view.only(series.name, among: trace.frameSeries.count)
  }
}
