/// Pairs the begins and ends of one thread, as a writer with a stack meant them.
///
/// An end with a name closes the nearest open span of that name, and those above it with it; an
/// end without one closes the innermost. An end that fits nothing is ignored. At one moment the
/// order of the file counts if its begins and ends fit each other; else ends come first, except
/// the end of a span that begins there.
struct SpanPairing {
  /// Where begins and ends, and what becomes of them, are kept.
  var events: [ScannedEvent]
  var issues: ScanIssues
  var row = SpanRow()
  /// The begin event of each span of the row.
  private(set) var beginOf: [UInt32] = []
  /// The end event of each span of the row, ``noEnd`` if it has none.
  private(set) var endOf: [UInt32] = []
  /// How many spans of each name are open; zeros between runs.
  private var openCount: [Int32]
  /// How many ends of each name wait at the moment that is looked at; zeros between moments.
  private var waiting: [Int32]
  private var orphans: [UInt32] = []
  /// The begins of spans that an end further out closed.
  private var closedByOuterEnd: [UInt32] = []

  static let noEnd = UInt32.max

  /// `nameCount`: how many names the events use.
  init(events: [ScannedEvent], issues: ScanIssues, nameCount: Int) {
    self.events = events
    self.issues = issues
    // Events without a name share the slot behind the others.
    openCount = [Int32](repeating: 0, count: nameCount + 1)
    waiting = openCount
  }

  private func slot(_ name: UInt32) -> Int {
    name == RawNameTable.none ? openCount.count - 1 : Int(name)
  }

  /// Fills ``row`` from the begins and ends among `indices`, and writes each end into its begin.
  ///
  /// `indices` are in the order of the file and come back in the order of time. What is still open
  /// gets the end ``ScannedEvent/unfinished``.
  mutating func run(_ indices: inout [UInt32], in range: Range<Int>, order: inout StableOrder) {
    let isInOrder = sort(&indices, in: range, order: &order)
    pass(indices, in: range)
    if !isInOrder, !orphans.isEmpty, mendEndsBeforeBegins() {
      undo(indices, in: range)
      indices[range].sort()
      _ = sort(&indices, in: range, order: &order)
      pass(indices, in: range)
    }
    report()
  }

  private mutating func sort(
    _ indices: inout [UInt32], in range: Range<Int>, order: inout StableOrder
  ) -> Bool {
    let isInOrder = range.dropFirst().allSatisfy {
      events[Int(indices[$0 - 1])].start <= events[Int(indices[$0])].start
    }
    if !isInOrder {
      order.sort(&indices, in: range) { events[Int($0)].start.orderKey }
    }
    return isInOrder
  }

  private mutating func pass(_ indices: [UInt32], in range: Range<Int>) {
    row.removeAll()
    beginOf.removeAll(keepingCapacity: true)
    endOf.removeAll(keepingCapacity: true)
    orphans.removeAll(keepingCapacity: true)
    closedByOuterEnd.removeAll(keepingCapacity: true)
    var position = range.lowerBound
    while position < range.upperBound {
      let time = events[Int(indices[position])].start
      var behind = position + 1
      while behind < range.upperBound, events[Int(indices[behind])].start == time { behind += 1 }
      if behind - position > 1, !fits(indices, position..<behind) {
        closeFirst(indices, position..<behind)
      } else {
        for index in indices[position..<behind] { take(index) }
      }
      position = behind
    }
  }

  /// Whether the begins and ends of one moment, in the order of the file, fit the open spans.
  private func fits(_ indices: [UInt32], _ group: Range<Int>) -> Bool {
    var begun: [UInt32] = []
    var depth = row.open.count
    for index in indices[group] {
      let event = events[Int(index)]
      if event.phase == .begin {
        begun.append(event.name)
        continue
      }
      let top: UInt32
      if let last = begun.popLast() {
        top = last
      } else if depth > 0 {
        depth -= 1
        top = row.name[Int(row.open[depth])]
      } else {
        return false
      }
      if event.name != RawNameTable.none, event.name != top { return false }
    }
    return true
  }

  /// Takes the events of one moment in which the file's order makes no sense: first the ends of
  /// what was open before.
  private mutating func closeFirst(_ indices: [UInt32], _ group: Range<Int>) {
    let ends = indices[group].filter {
      events[Int($0)].phase == .end && events[Int($0)].name != RawNameTable.none
    }
    for index in ends { waiting[slot(events[Int(index)].name)] += 1 }
    var isUsed = [Bool](repeating: false, count: group.count)
    var byName: [UInt32: [Int]] = [:]
    for (offset, index) in indices[group].enumerated() where events[Int(index)].phase == .end {
      byName[events[Int(index)].name, default: []].append(offset)
    }
    for name in byName.keys { byName[name]?.reverse() }
    while let top = row.top, waiting[slot(row.name[top])] > 0 {
      let name = row.name[top]
      guard let offset = byName[name]?.popLast() else { break }
      waiting[slot(name)] -= 1
      isUsed[offset] = true
      take(indices[group.lowerBound + offset])
    }
    for index in ends { waiting[slot(events[Int(index)].name)] = 0 }
    // Those that are open further down, then the rest.
    for (offset, index) in indices[group].enumerated() where !isUsed[offset] {
      let event = events[Int(index)]
      if event.phase == .end, event.name != RawNameTable.none, openCount[slot(event.name)] > 0 {
        isUsed[offset] = true
        take(index)
      }
    }
    // An end whose begin stands behind it closes it at once.
    var early: [UInt32: [UInt32]] = [:]
    for (offset, index) in indices[group].enumerated() where !isUsed[offset] {
      let event = events[Int(index)]
      let isNamed = event.name != RawNameTable.none
      if event.phase == .end, isNamed, openCount[slot(event.name)] == 0 {
        early[event.name, default: []].append(index)
        continue
      }
      take(index)
      if event.phase == .begin, let end = early[event.name]?.popLast() { take(end) }
    }
    for index in early.values.joined() { take(index) }
  }

  private mutating func take(_ index: UInt32) {
    let event = events[Int(index)]
    if event.phase == .begin {
      row.push(start: event.start, end: ScannedEvent.unfinished, name: event.name)
      beginOf.append(index)
      endOf.append(Self.noEnd)
      openCount[slot(event.name)] += 1
      return
    }
    let isNamed = event.name != RawNameTable.none
    guard !row.open.isEmpty, !isNamed || openCount[slot(event.name)] > 0 else {
      orphans.append(index)
      return
    }
    while let top = row.top {
      let name = row.name[top]
      row.end[top] = event.start
      events[Int(beginOf[top])].end = event.start
      openCount[slot(name)] -= 1
      row.open.removeLast()
      endOf[top] = index
      if !isNamed || name == event.name { return }
      closedByOuterEnd.append(beginOf[top])
    }
  }

  /// Moves ends that were written after their begin but carry an earlier time to that begin.
  /// Whether there were any.
  private mutating func mendEndsBeforeBegins() -> Bool {
    var candidates: [UInt32: [UInt32]] = [:]
    for begin in closedByOuterEnd + row.open.map({ beginOf[Int($0)] }) {
      candidates[events[Int(begin)].name, default: []].append(begin)
    }
    var isMended = false
    for orphan in orphans where events[Int(orphan)].name != RawNameTable.none {
      let name = events[Int(orphan)].name
      // An index is a place in the file.
      guard let begin = candidates[name]?.last, begin < orphan else { continue }
      candidates[name]?.removeLast()
      events[Int(orphan)].start = events[Int(begin)].start
      issues.add(.endBeforeBegin, at: events[Int(orphan)].offset)
      isMended = true
    }
    return isMended
  }

  private mutating func undo(_ indices: [UInt32], in range: Range<Int>) {
    for span in row.open { openCount[slot(row.name[Int(span)])] = 0 }
    for index in indices[range] where events[Int(index)].phase == .begin {
      events[Int(index)].end = events[Int(index)].start
    }
  }

  /// Counts what was found and closes the books on what is still open.
  private mutating func report() {
    for orphan in orphans { issues.add(.orphanEnds, at: events[Int(orphan)].offset) }
    for begin in closedByOuterEnd {
      issues.add(.closedByOuterEnd, at: events[Int(begin)].offset)
    }
    for span in row.open {
      let begin = beginOf[Int(span)]
      issues.add(.neverEnded, at: events[Int(begin)].offset)
      events[Int(begin)].end = ScannedEvent.unfinished
      openCount[slot(row.name[Int(span)])] = 0
      row.unfinished.append(Int(span))
    }
  }

  /// Gives the spans that are still open an end.
  mutating func endUnfinished(at time: Int64) {
    for span in row.unfinished { row.end[span] = time }
    row.open.removeAll(keepingCapacity: true)
  }
}
