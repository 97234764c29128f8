public import FlamelarkTrace

/// Where the time of rows went, by the name of spans or by their place in the source.
///
/// Each instant belongs to the deepest span open at it, the time of left-out spans to their own name.
/// So the own times of all names, recorded and left out, add up to the time in which the rows were
/// in spans at all: ``busyTime``.
public struct SpanStatistics: Sendable {
  /// What spans are put together by.
  public enum Grouping: Sendable {
    /// Their name.
    case name
    /// The call site.
    case site
  }

  /// What may be asked.
  public struct Options: Sendable {
    /// What spans are put together by.
    public var grouping = Grouping.name
    /// Only the time within it, nil: all.
    public var range: Range<Int64>?
    /// The indices of the rows that count, nil: all.
    public var tracks: Set<Int>?

    /// Everything, by name.
    public init() {}
  }

  /// The spans of one name or call site. Times are nanoseconds.
  public struct Group: Sendable, Equatable {
    /// Their name.
    public let name: NameID
    /// Their call site; nil where they are put together by name.
    public let site: CallSiteID?
    /// How many were recorded with a part in the range.
    public internal(set) var count = 0
    /// How many of them had not ended when the recording did.
    public internal(set) var unfinished = 0
    /// The time in which at least one of them was open on a row. Recursion counts once.
    public internal(set) var total: Int64 = 0
    /// The time in which one of them was the deepest open span, without ``foldedTime`` of others.
    public internal(set) var selfTime: Int64 = 0
    /// The durations of the finished ones, whole even where they reach over the edge of the range:
    /// those that 50, 90 and 99 in a hundred don't exceed, by nearest rank. nil if none has finished.
    public internal(set) var durations: Durations?
    /// How many were left out by the least duration and summed up.
    public internal(set) var foldedCount = 0
    /// Their time, without that of other left-out spans inside them.
    public internal(set) var foldedTime: Int64 = 0
    /// The duration of the longest left-out one, 0 if there is none.
    public internal(set) var foldedLongest: Int64 = 0

    /// The time of their own, recorded and left out.
    public var ownTime: Int64 { selfTime.plus(foldedTime) }
    /// The duration of the longest, recorded and finished or left out; nil if there is none.
    public var longest: Int64? {
      foldedCount > 0 ? max(durations?.longest ?? 0, foldedLongest) : durations?.longest
    }
  }

  /// What durations are like.
  public struct Durations: Sendable, Equatable {
    /// Half of them are not longer.
    public let median: Int64
    /// 90 in a hundred are not longer.
    public let p90: Int64
    /// 99 in a hundred are not longer.
    public let p99: Int64
    /// The longest.
    public let longest: Int64
  }

  /// What groups are sorted by, greatest first.
  public enum Order: String, Sendable, CaseIterable {
    /// The time of their own, recorded and left out.
    case own = "self"
    /// The time with all in them, and that of left-out ones.
    case total
    /// How many there were, recorded and left out.
    case count
    /// The longest.
    case longest = "max"
  }

  /// All groups that have spans in the range, in the order of their names.
  public internal(set) var groups: [Group] = []
  /// The time in which the rows were in spans, recorded or left out.
  public internal(set) var busyTime: Int64 = 0
  /// How many spans over the greatest depth were counted in the range; their time is own time of the
  /// spans around them.
  public internal(set) var overDepth = 0
  /// Time of left-out spans that the spans around them do not have in the range: it is in
  /// ``Group/foldedTime`` and beyond ``busyTime``.
  public internal(set) var unplacedTime: Int64 = 0

  /// The groups, greatest first; of equals the first by name.
  public func sorted(by order: Order) -> [Group] {
    func key(_ group: Group) -> Int64 {
      switch order {
      case .own: group.ownTime
      case .total: group.total.plus(group.foldedTime)
      case .count: Int64(clamping: group.count).plus(Int64(clamping: group.foldedCount))
      case .longest: group.longest ?? -1
      }
    }
    return groups.enumerated().sorted { a, b in
      (key(b.element), a.offset) < (key(a.element), b.offset)
    }.map(\.element)
  }
}
