public import FlamelarkTrace

extension SpanStatistics {
  /// Adds up the spans of a trace. O(spans + sums of left-out spans), eight bytes a span.
  public init(of trace: Trace, options: Options = .init()) {
    var tally = SpanTally(of: trace, options: options)
    for track in trace.tracks.indices where options.tracks?.contains(track) ?? true {
      tally.addSpans(ofTrack: track)
    }
    tally.addFolded()
    tally.addDurations()
    self = tally.statistics()
  }
}

/// Adds up spans while it goes along rows.
private struct SpanTally {
  private let trace: Trace
  private let options: SpanStatistics.Options
  private let range: Range<Int64>
  /// The group of each call site.
  private let groupOfSite: [Int]
  private var result = SpanStatistics()
  private var groups: [SpanStatistics.Group]
  /// How many spans of each group are open.
  private var openCount: [Int]
  /// The time of each row that no span at the top covers.
  private var freeTime: [Int64]

  init(of trace: Trace, options: SpanStatistics.Options) {
    self.trace = trace
    self.options = options
    range = options.range ?? .min..<(.max)
    var groups: [SpanStatistics.Group] = []
    var groupOfSite: [Int] = []
    var groupOfName: [NameID: Int] = [:]
    for (index, site) in trace.callSites.enumerated() {
      switch options.grouping {
      case .site:
        groupOfSite.append(groups.count)
        groups.append(.init(name: site.name, site: CallSiteID(UInt32(index))))
      case .name:
        let group = groupOfName[site.name] ?? groups.count
        if group == groups.count {
          groupOfName[site.name] = group
          groups.append(.init(name: site.name, site: nil))
        }
        groupOfSite.append(group)
      }
    }
    self.groups = groups
    self.groupOfSite = groupOfSite
    openCount = Array(repeating: 0, count: groups.count)
    let whole = trace.range.clamped(to: range).duration
    freeTime = Array(repeating: max(0, whole), count: trace.tracks.count)
  }

  private func group(ofSpan span: Int) -> Int { groupOfSite[Int(trace.spans.site[span].index)] }

  /// Whether a span has a part in the range. One without duration has its moment.
  private func isInRange(_ span: Int) -> Bool {
    let (start, end) = (trace.spans.start[span], trace.spans.end[span])
    return start < range.upperBound && (end > range.lowerBound || start >= range.lowerBound)
  }

  private func time(ofSpan span: Int) -> Int64 {
    let end = min(trace.spans.end[span], range.upperBound)
    return max(0, end.minus(max(trace.spans.start[span], range.lowerBound)))
  }

  mutating func addSpans(ofTrack track: Int) {
    var open: [UInt32] = []
    for span in trace.tracks[track].spans {
      let parent = trace.spans.parent[span]
      while let last = open.last, last != parent {
        openCount[group(ofSpan: Int(last))] -= 1
        open.removeLast()
      }
      let group = group(ofSpan: span)
      if isInRange(span) {
        let time = time(ofSpan: span)
        groups[group].count += 1
        groups[group].selfTime = groups[group].selfTime.plus(time)
        if openCount[group] == 0 { groups[group].total = groups[group].total.plus(time) }
        if let around = open.last {
          // What a span has within the range, the one around it has too.
          let around = self.group(ofSpan: Int(around))
          groups[around].selfTime = groups[around].selfTime.minus(time)
        } else {
          result.busyTime = result.busyTime.plus(time)
          freeTime[track] = max(0, freeTime[track].minus(time))
        }
      }
      openCount[group] += 1
      open.append(UInt32(truncatingIfNeeded: span))
    }
    for span in open { openCount[self.group(ofSpan: Int(span))] -= 1 }
  }

  /// Gives the time of left-out spans to their groups. A sum belongs to the moment it begins.
  mutating func addFolded() {
    for sum in trace.folded where trace.tracks.indices.contains(sum.track) {
      guard options.tracks?.contains(sum.track) ?? true, range.contains(sum.range.lowerBound),
        sum.count > 0
      else { continue }
      if sum.reason == .overDepth {
        result.overDepth = result.overDepth.addingClamped(sum.count)
        continue
      }
      guard Int(sum.site.index) < groupOfSite.count else { continue }
      let group = groupOfSite[Int(sum.site.index)]
      let time = max(0, sum.selfTime)
      groups[group].foldedCount = groups[group].foldedCount.addingClamped(sum.count)
      groups[group].foldedTime = groups[group].foldedTime.plus(time)
      groups[group].foldedLongest = max(groups[group].foldedLongest, sum.longest)
      result.unplacedTime = result.unplacedTime.plus(time - taken(time, around: sum))
    }
  }

  /// Takes time from where left-out spans ran, and says how much was there.
  private mutating func taken(_ time: Int64, around sum: Trace.FoldedSpans) -> Int64 {
    if sum.parent == Trace.Spans.none {
      let taken = min(time, freeTime[sum.track])
      freeTime[sum.track] -= taken
      result.busyTime = result.busyTime.plus(taken)
      return taken
    }
    guard Int(sum.parent) < trace.spans.count else { return 0 }
    let around = group(ofSpan: Int(sum.parent))
    let taken = min(time, max(0, groups[around].selfTime))
    groups[around].selfTime -= taken
    return taken
  }

  /// Sorts the durations of finished spans by group, then looks at each group for itself.
  mutating func addDurations() {
    var places = Array(repeating: 0, count: groups.count + 1)
    var unfinished = Array(repeating: 0, count: groups.count)
    forEachSpan { group, duration in
      if duration == nil { unfinished[group] += 1 } else { places[group + 1] += 1 }
    }
    for group in groups.indices { places[group + 1] += places[group] }
    var durations = [Int64](repeating: 0, count: places[groups.count])
    forEachSpan { group, duration in
      guard let duration else { return }
      durations[places[group]] = duration
      places[group] += 1
    }
    // Each place has moved on to where the next group begins.
    var first = 0
    for group in groups.indices {
      groups[group].unfinished = unfinished[group]
      groups[group].durations = SpanStatistics.Durations(durations[first..<places[group]])
      first = places[group]
    }
  }

  /// Calls `body` with the group of each span in the range, and its duration if it has ended.
  private func forEachSpan(_ body: (Int, Int64?) -> Void) {
    var unfinished = trace.spans.unfinished[...]
    for (number, track) in trace.tracks.enumerated()
    where options.tracks?.contains(number) ?? true {
      for span in track.spans where isInRange(span) {
        while let next = unfinished.first, next < span { unfinished.removeFirst() }
        let hasEnded = unfinished.first != span
        let duration = max(0, trace.spans.end[span].minus(trace.spans.start[span]))
        body(group(ofSpan: span), hasEnded ? duration : nil)
      }
    }
  }

  func statistics() -> SpanStatistics {
    var result = result
    let used = groups.filter { $0.count > 0 || $0.foldedCount > 0 }
    let keyed = used.map { group in
      let site = group.site.map { trace.callSites[Int($0.index)] }
      return (
        name: trace.names[group.name], file: site?.file.map { trace.names[$0] } ?? "",
        line: site?.line ?? 0, group: group
      )
    }
    result.groups = keyed.enumerated().sorted { a, b in
      (a.element.name, a.element.file, a.element.line, a.offset)
        < (b.element.name, b.element.file, b.element.line, b.offset)
    }.map(\.element.group)
    return result
  }
}

extension Int {
  /// The sum, or the greatest value if there is none.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
