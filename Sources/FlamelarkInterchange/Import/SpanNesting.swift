/// Nests the spans of one thread by their times, and puts what overlaps into lanes.
///
/// Equal begins: the longer one is outside. Equal begins and ends: the first in the file, except
/// in a file whose writer puts children first. An end that sticks out of the span around it by no
/// more than its writer's rounding is cut.
struct SpanNesting {
  /// Rows beside the main one that a thread may have. More are no help to anybody.
  static let mostLanes = 128
  /// How far to look through open spans that overlap by rounding.
  private static let mostRoundedSpans = 64

  var main = SpanRow()
  private(set) var lanes: [SpanRow] = []
  private(set) var laneCount = 0

  /// Nests the spans among `indices`, which are in the order of the file.
  ///
  /// `threadEnd` is the end of what has none and nothing around it.
  mutating func run(
    _ indices: inout [UInt32], in range: Range<Int>, events: [ScannedEvent], threadEnd: Int64,
    order: inout StableOrder, issues: inout ScanIssues
  ) {
    main.removeAll()
    for lane in 0..<laneCount { lanes[lane].removeAll() }
    laneCount = 0
    let fileOrder = FileOrder(indices[range], events)
    if !fileOrder.isStrict {
      if fileOrder.isChildFirst { indices[range].reverse() }
      order.sort(&indices, in: range) { events[Int($0)].start.orderKey }
      sortTies(&indices, in: range, events: events, order: &order)
      if fileOrder.isChildFirst { countEqual(indices[range], events, &issues) }
    }
    for index in indices[range] {
      place(events[Int(index)], threadEnd: threadEnd, issues: &issues)
    }
  }

  /// How the spans of a thread stand in the file.
  private struct FileOrder {
    /// In the order of their ends rather than their begins: children first.
    var isChildFirst = false
    /// Each begins after the one before it.
    var isStrict = true

    init(_ indices: ArraySlice<UInt32>, _ events: [ScannedEvent]) {
      var byEnd = 0
      var byStart = 0
      var start = Int64.min
      var end = Int64.min
      for index in indices {
        let event = events[Int(index)]
        if end <= event.end { byEnd += 1 }
        if start <= event.start { byStart += 1 }
        if start >= event.start { isStrict = false }
        (start, end) = (event.start, event.end)
      }
      isChildFirst = byEnd > byStart && byEnd * 10 >= indices.count * 9
    }
  }

  private func sortTies(
    _ indices: inout [UInt32], in range: Range<Int>, events: [ScannedEvent],
    order: inout StableOrder
  ) {
    var first = range.lowerBound
    while first < range.upperBound {
      let start = events[Int(indices[first])].start
      var behind = first + 1
      while behind < range.upperBound, events[Int(indices[behind])].start == start { behind += 1 }
      if behind - first > 1 {
        order.sort(&indices, in: first..<behind) { ~events[Int($0)].end.orderKey }
      }
      first = behind
    }
  }

  private func countEqual(
    _ indices: ArraySlice<UInt32>, _ events: [ScannedEvent], _ issues: inout ScanIssues
  ) {
    for (a, b) in zip(indices, indices.dropFirst()) {
      let (a, b) = (events[Int(a)], events[Int(b)])
      if a.start == b.start, a.end == b.end, a.end > a.start {
        issues.add(.childFirst, at: min(a.offset, b.offset))
      }
    }
  }

  private mutating func place(
    _ event: ScannedEvent, threadEnd: Int64, issues: inout ScanIssues
  ) {
    main.close(upTo: event.start)
    if event.end == ScannedEvent.unfinished {
      main.unfinished.append(main.count)
      let end = main.top.map { main.end[$0] } ?? max(threadEnd, event.start)
      return main.push(start: event.start, end: end, name: event.name)
    }
    guard let top = main.top, event.end > main.end[top] else {
      return main.push(start: event.start, end: event.end, name: event.name)
    }
    let overhang = event.end - main.end[top]
    let overlap = main.end[top] - event.start
    let roundedSpans = overlap < overhang ? spansOverlappingByRounding(event) : 0
    if roundedSpans > 0 {
      for span in main.open.suffix(roundedSpans) { main.end[Int(span)] = event.start }
      main.open.removeLast(roundedSpans)
      issues.add(.clampedToNext, at: event.offset, count: roundedSpans)
      return main.push(start: event.start, end: event.end, name: event.name)
    }
    if overhang <= event.tolerance {
      issues.add(.clampedToParent, at: event.offset)
      return main.push(start: event.start, end: main.end[top], name: event.name)
    }
    placeInLane(event, issues: &issues)
  }

  /// How many of the innermost open spans reach into this one by no more than rounding can do, so
  /// that it fits once they are cut; 0 if it doesn't fit then.
  private func spansOverlappingByRounding(_ event: ScannedEvent) -> Int {
    var count = 0
    for span in main.open.reversed().prefix(Self.mostRoundedSpans) {
      let end = main.end[Int(span)]
      if end >= event.end { return count }
      guard end - event.start <= event.tolerance, main.start[Int(span)] < event.start else {
        return 0
      }
      count += 1
    }
    return count == main.open.count ? count : 0
  }

  private mutating func placeInLane(_ event: ScannedEvent, issues: inout ScanIssues) {
    for lane in 0..<laneCount {
      lanes[lane].close(upTo: event.start)
      let end = lanes[lane].top.map { lanes[lane].end[$0] } ?? .max
      if event.end <= end {
        issues.add(.overlapping, at: event.offset)
        return lanes[lane].push(start: event.start, end: event.end, name: event.name)
      }
    }
    guard laneCount < Self.mostLanes else {
      issues.add(.tooManyLanes, at: event.offset)
      let end = main.top.map { min(main.end[$0], event.end) } ?? event.end
      return main.push(start: event.start, end: end, name: event.name)
    }
    if laneCount == lanes.count { lanes.append(SpanRow()) }
    laneCount += 1
    issues.add(.overlapping, at: event.offset)
    lanes[laneCount - 1].push(start: event.start, end: event.end, name: event.name)
  }
}
