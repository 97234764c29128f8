internal import FlamelarkTrace

/// Goes along what a frame spent its time on: each instant of its window belongs to one place.
///
/// On a row an instant belongs to the innermost span open at it. Where the row waited, and it is
/// known for whom, it belongs to what that one did: the walk goes on there, for the time of the wait
/// and not longer. So the pieces of a window add up to it, however often it hops. Where it is not
/// known, the time is `blocked`; from when a row could have gone on until it did, `preempted`.
///
/// A walk costs the spans in the window, those of the rows that it hops to, and a search a hop. A
/// file may make windows overlap without end: `effort` bounds the whole, see ``isExhausted``.
struct CriticalWalk {
  /// A frame whose window is walked.
  struct Frame {
    var window: Range<Int64>
    /// The row on which it ended.
    var row: Int
    /// The span that is the frame, if one is.
    var span: Int?
    /// What ran before, on a row of the pipeline, was work of earlier frames; nil: there are none.
    var ownFrom: (begin: Int64, number: Int)?
  }

  /// More hops are not followed: what waits there is blocked.
  static let mostHops = 16

  let trace: Trace
  let links: RowLinks
  let roles: RowRoles
  let series: Trace.FrameSeries
  /// The spans of each row, without the rest of it.
  let spansOfRow: [Range<Int>]
  /// Whether each row is the loop's.
  let isLoopRow: [Bool]
  /// The times in which the loop had nothing to do, ascending and apart.
  let waits: [Range<Int64>]
  let folded: FoldedIndex
  let names: [NameID]
  private let hasLinks: Bool
  let wrapping: FrameWrapping
  var tree = PathTree()
  var nodes: SpanNodes
  /// Where the last window of each row began, so that the next is found near it.
  private var lastPlace: [Int]
  /// What was open on each row when its last window began, so that the next one climbs from there.
  private var lastOpen: [Open]
  var frame = Frame(window: 0..<0, row: 0)
  /// How many more spans, waits and thread states may be looked at.
  var effort: Int

  init(of judged: JudgedFrames, in trace: Trace) {
    self.trace = trace
    series = judged.series
    links = RowLinks(of: trace, series: judged.series)
    var loopRows = Set(judged.series.frames.lazy.map(\.track))
    loopRows.formUnion(links.rowsOfTasks(runningAt: judged.series.frames))
    spansOfRow = trace.tracks.map(\.spans)
    isLoopRow = trace.tracks.indices.map { loopRows.contains($0) }
    roles = RowRoles(of: trace, loopRows: loopRows)
    nodes = SpanNodes(of: trace, roles: roles)
    waits = judged.series.waits()
    folded = FoldedIndex(of: trace)
    names = trace.callSites.map(\.name)
    hasLinks = !links.isEmpty
    wrapping = FrameWrapping(of: judged, in: trace)
    lastPlace = trace.tracks.map(\.spans.lowerBound)
    lastOpen = Array(repeating: Open(), count: trace.tracks.count)
    effort =
      64 * (trace.spans.count + judged.frames.count + trace.waits.count + trace.threadStates.count)
      + 1 << 20
  }

  /// Windows overlap so much that what is left of them is not walked: it is `blocked`.
  var isExhausted: Bool { effort <= 0 }

  /// What to call a role, nil for the loop's.
  func roleName(of role: PathTree.Role) -> String? { roles.name(of: role) }

  /// Walks the window of a frame. The pieces come in no particular order.
  mutating func walk<Visitor: CriticalVisitor>(
    _ index: Int, of judged: JudgedFrames, _ visitor: inout Visitor
  ) {
    frame = framed(index, of: judged)
    walk(frame.row, frame.window, CriticalPlace(), &visitor)
  }

  /// Walks a phase of a frame.
  mutating func walk<Visitor: CriticalVisitor>(
    _ phase: FramePhases.Phase, frameSpan: Int?, _ visitor: inout Visitor
  ) {
    frame = Frame(window: phase.range, row: phase.row, span: frameSpan)
    walk(phase.row, phase.range, CriticalPlace(), &visitor)
  }

  /// Where and how the time of a frame was spent: it ends on the row of its last stage.
  private func framed(_ index: Int, of judged: JudgedFrames) -> Frame {
    let given = series.frames[index]
    let verdict = judged.frames[index]
    var result = Frame(window: verdict.window, row: given.track, span: given.span)
    guard series.mode == .presented else { return result }
    if let last = links.lastStages[given.number],
      trace.spans.end[last.span] >= verdict.window.upperBound
    {
      result.row = last.row
    }
    let first = series.frames[max(0, given.number - verdict.placesBack)]
    result.ownFrom = (first.begin, first.number)
    return result
  }

  // MARK: - Rows

  /// Walks a row from one moment to another.
  mutating func walk<Visitor: CriticalVisitor>(
    _ row: Int, _ window: Range<Int64>, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard !window.isEmpty else { return }
    guard effort > 0 else {
      let node = tree.node(of: roles[row], in: .blocked)
      visitor.spend(
        CriticalPiece(
          range: window, row: row, node: node, span: Trace.Spans.none, place: place))
      return
    }
    nodes.prepare(row, in: trace, tree: &tree)
    let spans = spansOfRow[row]
    let firstNew = firstSpan(of: row, from: window.lowerBound)
    var next = firstNew
    let openAtBeginning = openSpan(of: row, at: window.lowerBound, before: next)
    var current = openAtBeginning
    var time = window.lowerBound
    while next < spans.upperBound, trace.spans.start[next] < window.upperBound {
      let parent = trace.spans.parent[next]
      while current != parent, current != Trace.Spans.none {
        let end = trace.spans.end[Int(current)]
        if end > time {
          spend(time..<end, row, current, place, &visitor)
          time = end
        }
        current = trace.spans.parent[Int(current)]
      }
      let start = trace.spans.start[next]
      if start > time {
        spend(time..<start, row, current, place, &visitor)
        time = start
      }
      visitor.begin(
        next, nodes[next], place)
      current = UInt32(truncatingIfNeeded: next)
      next += 1
    }
    while current != Trace.Spans.none, trace.spans.end[Int(current)] < window.upperBound {
      let end = trace.spans.end[Int(current)]
      if end > time {
        spend(time..<end, row, current, place, &visitor)
        time = end
      }
      current = trace.spans.parent[Int(current)]
    }
    if time < window.upperBound {
      spend(time..<window.upperBound, row, current, place, &visitor)
    }
    effort -= next - firstNew + 1
    if !folded.isEmpty {
      moveSums(of: openAtBeginning, and: firstNew..<next, on: row, window, place, &visitor)
    }
  }

  private struct Open {
    var time = Int64.min
    /// The first span that begins no sooner.
    var next = -1
    var span = Trace.Spans.none
  }

  /// The innermost span of a row that is open at a time, before the one that begins next: the last one
  /// that began, or one around that. One that ends right there stays: another without duration may begin
  /// in it. Where time goes on, O(1) a span that ended.
  private mutating func openSpan(of row: Int, at time: Int64, before next: Int) -> UInt32 {
    let last = lastOpen[row]
    var current =
      last.next == next && last.time <= time
      ? last.span
      : next > spansOfRow[row].lowerBound ? UInt32(truncatingIfNeeded: next - 1) : Trace.Spans.none
    while current != Trace.Spans.none, trace.spans.end[Int(current)] < time {
      current = trace.spans.parent[Int(current)]
      effort -= 1
    }
    lastOpen[row] = Open(time: time, next: next, span: current)
    return current
  }

  /// The first span of a row that doesn't begin before a time. Near the last one asked for, O(1).
  private mutating func firstSpan(of row: Int, from time: Int64) -> Int {
    let spans = spansOfRow[row]
    var place = lastPlace[row]
    let starts = trace.spans.start
    // A few steps from the last place, then a search.
    var steps = 0
    while place < spans.upperBound, starts[place] < time, steps < 256 {
      place += 1
      steps += 1
    }
    if steps == 256 {
      place = (place..<spans.upperBound).partitionPoint { starts[$0] < time }
    } else if place > spans.lowerBound, starts[place - 1] >= time {
      place = (spans.lowerBound..<place).partitionPoint { starts[$0] < time }
    }
    lastPlace[row] = place
    return place
  }

  // MARK: - Pieces

  /// Gives a piece of a row's time to where it belongs. `span` is the innermost one.
  @inline(__always)
  private mutating func spend<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    guard hasLinks || frame.ownFrom != nil || span == Trace.Spans.none else {
      give(range, row, span, place, &visitor)
      return
    }
    spendLinked(range, row, span, place, &visitor)
  }

  private mutating func spendLinked<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    if let own = frame.ownFrom, place.earlierFrame == nil {
      // What ran on the loop's rows before the frame began was for earlier ones.
      if isLoopRow[row], range.lowerBound < own.begin {
        let split = min(own.begin, range.upperBound)
        var earlier = place
        earlier.earlierFrame = earlierFrame(at: range.lowerBound, before: own.number)
        spendPlaced(range.lowerBound..<split, row, span, earlier, &visitor)
        spendPlaced(split..<range.upperBound, row, span, place, &visitor)
        return
      }
      if span != Trace.Spans.none, links.hasStages(row),
        let stage = links.frame(ofStage: Int(span)), stage < own.number
      {
        var earlier = place
        earlier.earlierFrame = stage
        spendPlaced(range, row, span, earlier, &visitor)
        return
      }
    }
    spendPlaced(range, row, span, place, &visitor)
  }

  private func earlierFrame(at time: Int64, before number: Int) -> Int {
    max(0, series.frames[..<number].partitionPoint { $0.begin <= time } - 1)
  }

  mutating func spendPlaced<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    if span == Trace.Spans.none {
      spendIdle(range, row, place, &visitor)
    } else if links.mayWait(Int(span)), let wait = links.wait(of: Int(span)) {
      spendWait(range, row, wait, place, &visitor)
    } else if links.hasStates(row) {
      spendByState(range, row, span, place, &visitor)
    } else {
      give(range, row, span, place, &visitor)
    }
  }

  /// The self time of a span in which its row waited.
  private mutating func spendWait<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ wait: Trace.Wait, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    let span = UInt32(truncatingIfNeeded: wait.span)
    let end = wait.endedAt ?? trace.spans.end[wait.span]
    // It did not block.
    if end <= trace.spans.start[wait.span], wait.endedAt != nil {
      give(range, row, span, place, &visitor)
      return
    }
    if let hop = links.hop(of: wait, on: row) {
      let split = min(max(end, range.lowerBound), range.upperBound)
      follow(hop, range.lowerBound..<split, row, span, place, &visitor)
      give(split..<range.upperBound, row, span, as: .preempted, place, &visitor)
    } else if links.hasStates(row) {
      spendByState(range, row, span, place, &visitor)
    } else {
      give(range, row, span, as: .blocked, place, &visitor)
    }
  }

  /// Goes on at what a row waited for.
  mutating func follow<Visitor: CriticalVisitor>(
    _ hop: Hop, _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    guard place.hops < Self.mostHops else {
      give(range, row, span, as: .blocked, place, &visitor)
      return
    }
    var next = place
    next.hops += 1
    next.link = hop.link
    switch hop.target {
    case .row(let row): walk(row, range, next, &visitor)
    case .task(let task): walkTask(task, range, next, &visitor)
    }
  }

  /// Time of a row in which it was seen not to run.
  mutating func spendByState<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    var time = range.lowerBound
    for state in links.states(of: row, in: range) {
      effort -= 1
      let from = max(time, state.range.lowerBound)
      let to = min(range.upperBound, state.range.upperBound)
      guard from < to else { continue }
      give(time..<from, row, span, place, &visitor)
      time = to
      guard state.kind == .blocked else {
        give(from..<to, row, span, as: .preempted, place, &visitor)
        continue
      }
      let woken = min(max(state.wokenAt ?? state.range.upperBound, from), to)
      if let waker = state.wokenBy, waker != row {
        let hop = Hop(target: .row(waker), link: .wait, end: woken)
        follow(hop, from..<woken, row, span, place, &visitor)
      } else {
        give(from..<woken, row, span, as: .blocked, place, &visitor)
      }
      give(woken..<to, row, span, as: .preempted, place, &visitor)
    }
    give(time..<range.upperBound, row, span, place, &visitor)
  }

  /// Gives a piece to the innermost span, whatever else may be known of it.
  @inline(__always)
  mutating func give<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    guard span != Trace.Spans.none else {
      give(range, row, span, as: .uninstrumented, place, &visitor)
      return
    }
    var node = nodes[Int(span)]
    if isFrame(span, row) { node = tree.twin(of: node, in: .uninstrumented) }
    visitor.spend(
      CriticalPiece(range: range, row: row, node: node, span: span, place: place))
  }

  /// Whether a span stands for the frame, so that its own time is that of no span.
  @inline(__always)
  func isFrame(_ span: UInt32, _ row: Int) -> Bool {
    if let own = frame.span { return Int(span) == own }
    return wrapping.isEmpty
      ? false
      : trace.spans.parent[Int(span)] == Trace.Spans.none && isLoopRow[row]
        && wrapping.contains(names[Int(trace.spans.site[Int(span)].index)])
  }

  /// Gives a piece to a class, under the path of the innermost span.
  mutating func give<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, as timeClass: PathTree.TimeClass,
    _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    let node: PathTree.Node
    if span == Trace.Spans.none {
      node = tree.node(of: roles[row], in: timeClass)
    } else {
      node = tree.twin(of: nodes[Int(span)], in: timeClass)
    }
    visitor.spend(
      CriticalPiece(range: range, row: row, node: node, span: span, place: place))
  }
}
