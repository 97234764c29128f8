public import FlamelarkAnalysis
public import FlamelarkTrace

/// Where the time of a trace went, by name: what `flamelark spans` says.
public struct SpansReport: Sendable {
  /// What was asked for.
  public struct Options: Sendable {
    /// What spans are put together by, and which count. An upper bound of `.max` is the end.
    public var statistics = SpanStatistics.Options()
    /// What comes first.
    public var order = SpanStatistics.Order.own

    /// Everything, by name, most time of their own first.
    public init() {}
  }

  let file: String
  let trace: Trace
  let options: Options
  let statistics: SpanStatistics
  let values: ValueStatistics
  /// The groups in the order that was asked for.
  let groups: [SpanStatistics.Group]

  /// Adds up the spans of a trace. `file` is its name, for the header. O(spans).
  public init(of trace: Trace, file: String, options: Options = .init()) {
    self.file = file
    self.trace = trace
    self.options = options
    statistics = SpanStatistics(of: trace, options: options.statistics)
    values = ValueStatistics(of: trace, options: options.statistics)
    groups = statistics.sorted(by: options.order)
  }

  /// How many spans there are in the range, recorded or summed up.
  var count: Int { groups.reduce(0) { $0 &+ $1.count } }
  var foldedCount: Int { groups.reduce(0) { $0 &+ $1.foldedCount } }
  var unfinished: Int { groups.reduce(0) { $0 &+ $1.unfinished } }

  /// The rows that count.
  var tracks: [Trace.Track] {
    trace.tracks.indices.filter { options.statistics.tracks?.contains($0) ?? true }
      .map { trace.tracks[$0] }
  }

  /// From when to when.
  var range: Range<Int64> {
    let asked = options.statistics.range ?? trace.range
    return asked.lowerBound..<max(asked.lowerBound, min(asked.upperBound, trace.range.upperBound))
  }

  /// The part of the busy time that a group has for itself.
  func share(of group: SpanStatistics.Group) -> Double {
    statistics.busyTime > 0 ? Double(group.ownTime) / Double(statistics.busyTime) : 0
  }

  /// Where a group stands in the source.
  func place(of group: SpanStatistics.Group) -> (file: String?, line: UInt32)? {
    place(ofSite: group.site)
  }

  /// Where a call site stands in the source.
  func place(ofSite site: CallSiteID?) -> (file: String?, line: UInt32)? {
    guard let site = site.map({ trace.callSites[Int($0.index)] }) else { return nil }
    return (site.file.map { trace.names[$0] }, site.line)
  }

  /// What the spans of a group belong to.
  func category(of group: SpanStatistics.Group) -> String? {
    let site = group.site.map { trace.callSites[Int($0.index)] }
    return site?.category.map { trace.names[$0] }
  }
}
