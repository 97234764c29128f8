extension Trace {
  /// The spans of a trace, one array a field.
  public struct Spans: Sendable {
    /// When each began.
    public var start: [Int64] = []
    /// When each ended.
    public var end: [Int64] = []
    /// Where in the source: an index into ``Trace/callSites``.
    public var site: [CallSiteID] = []
    /// The index of the span around it, ``none`` at the top.
    public var parent: [UInt32] = []
    /// The indices of those that had not ended when the recording did, ascending.
    public var unfinished: [Int] = []

    /// The parent of a span at the top.
    public static let none = UInt32.max

    /// No spans.
    public init() {}

    /// How many there are.
    public var count: Int { start.count }

    /// Adds a span behind all others.
    public mutating func append(start: Int64, end: Int64, site: CallSiteID, parent: UInt32) {
      self.start.append(start)
      self.end.append(end)
      self.site.append(site)
      self.parent.append(parent)
    }

    /// Makes room for `count` spans.
    public mutating func reserveCapacity(_ count: Int) {
      start.reserveCapacity(count)
      end.reserveCapacity(count)
      site.reserveCapacity(count)
      parent.reserveCapacity(count)
    }
  }

  /// The name of the span at an index.
  public func name(ofSpan index: Int) -> String {
    names[callSites[Int(spans.site[index].index)].name]
  }

  /// The number of spans around the span at an index. O(depth).
  public func depth(ofSpan index: Int) -> Int {
    var depth = 0
    var parent = spans.parent[index]
    while parent != Spans.none {
      depth += 1
      parent = spans.parent[Int(parent)]
    }
    return depth
  }
}
