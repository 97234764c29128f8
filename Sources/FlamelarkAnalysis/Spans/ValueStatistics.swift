public import FlamelarkTrace

/// What the program gave its spans beside their names: the values of each name, by that of the spans or
/// by their call site.
public struct ValueStatistics: Sendable {
  /// The values of one name that spans of one name or call site have.
  public struct Group: Sendable, Equatable {
    /// The name of the spans.
    public let span: NameID
    /// Their call site; nil where they are put together by name.
    public let site: CallSiteID?
    /// The name of the values.
    public let name: NameID
    /// How many there are.
    public internal(set) var count = 0
    /// What they are together; the greatest or least number where that is beyond it.
    public internal(set) var sum: Int64 = 0
    /// The least.
    public internal(set) var least = Int64.max
    /// The greatest.
    public internal(set) var greatest = Int64.min
    /// Their mean.
    public internal(set) var mean = 0.0
  }

  /// All groups, by the name of the spans and that of the values.
  public internal(set) var groups: [Group] = []

  private struct Key: Hashable {
    var span: NameID
    var site: CallSiteID?
    var name: NameID
  }

  /// Adds up the values of a trace, of the spans that `options` lets count. O(values + rows).
  public init(of trace: Trace, options: SpanStatistics.Options = .init()) {
    guard !trace.values.isEmpty else { return }
    let range = options.range ?? .min..<(.max)
    let rows = options.tracks?.map { trace.tracks[$0].spans } ?? []
    let sorted = rows.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    var row = 0
    var places: [Key: Int] = [:]
    // Values are in the order of their spans.
    for value in trace.values where trace.spans.start.indices.contains(value.span) {
      if options.tracks != nil {
        while row < sorted.count, sorted[row].upperBound <= value.span { row += 1 }
        guard row < sorted.count, sorted[row].contains(value.span) else { continue }
      }
      let (start, end) = (trace.spans.start[value.span], trace.spans.end[value.span])
      guard start < range.upperBound, end > range.lowerBound || start >= range.lowerBound else {
        continue
      }
      let site = trace.spans.site[value.span]
      let key = Key(
        span: trace.callSites[Int(site.index)].name, site: options.grouping == .site ? site : nil,
        name: value.name)
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(Group(span: key.span, site: key.site, name: key.name))
      }
      groups[place].add(value.value)
    }
    for place in groups.indices { groups[place].mean /= Double(groups[place].count) }
    func order(_ group: Group) -> (String, UInt32, String) {
      (trace.names[group.span], group.site?.index ?? 0, trace.names[group.name])
    }
    groups.sort { order($0) < order($1) }
  }
}

extension ValueStatistics.Group {
  /// Takes in a value; the mean is their sum until all are in.
  fileprivate mutating func add(_ value: Int64) {
    count += 1
    sum = sum.plus(value)
    least = min(least, value)
    greatest = max(greatest, value)
    mean += Double(value)
  }
}
