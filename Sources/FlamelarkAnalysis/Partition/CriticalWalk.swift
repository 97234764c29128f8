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
  private static let mostHops = 16

  let trace: Trace
  let links: RowLinks
  private let roles: RowRoles
  private let series: Trace.FrameSeries
  /// The spans of each row, without the rest of it.
  private let spansOfRow: [Range<Int>]
  /// Whether each row is the loop's.
  private let isLoopRow: [Bool]
  /// The times in which the loop had nothing to do, ascending and apart.
  private let waits: [Range<Int64>]
  private let folded: FoldedIndex
  private let names: [NameID]
  private let hasLinks: Bool
  private let wrapping: FrameWrapping
  private(set) var tree = PathTree()
  private(set) var nodes: SpanNodes
  /// Where the last window of each row began, so that the next is found near it.
  private var lastPlace: [Int]
  private var frame = Frame(window: 0..<0, row: 0)
  /// How many more spans may be looked at.
  private var effort: Int

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
    effort = 64 * (trace.spans.count + judged.frames.count) + 1 << 20
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
    // What is open at the beginning is the last span that began before it, or one around that. One that
    // ends right there stays: another without duration may begin in it.
    var current = next > spans.lowerBound ? UInt32(truncatingIfNeeded: next - 1) : Trace.Spans.none
    while current != Trace.Spans.none, trace.spans.end[Int(current)] < window.lowerBound {
      current = trace.spans.parent[Int(current)]
    }
    let openAtBeginning = current
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
    guard hasLinks || span == Trace.Spans.none else {
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

  private mutating func spendPlaced<Visitor: CriticalVisitor>(
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
  private mutating func follow<Visitor: CriticalVisitor>(
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
  private mutating func spendByState<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    var time = range.lowerBound
    for state in links.states(of: row, in: range) {
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
  private mutating func give<Visitor: CriticalVisitor>(
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
  private func isFrame(_ span: UInt32, _ row: Int) -> Bool {
    if let own = frame.span { return Int(span) == own }
    return wrapping.isEmpty
      ? false
      : trace.spans.parent[Int(span)] == Trace.Spans.none && isLoopRow[row]
        && wrapping.contains(names[Int(trace.spans.site[Int(span)].index)])
  }

  /// Gives a piece to a class, under the path of the innermost span.
  private mutating func give<Visitor: CriticalVisitor>(
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

// MARK: - Outside of spans
extension CriticalWalk {
  /// Time of a row in no span.
  private mutating func spendIdle<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard isLoopRow[row], !waits.isEmpty else {
      spendUnspanned(range, row, place, &visitor)
      return
    }
    var time = range.lowerBound
    var wait = waits.partitionPoint { $0.upperBound <= time }
    while time < range.upperBound {
      guard wait < waits.count, waits[wait].lowerBound < range.upperBound else { break }
      let from = max(time, waits[wait].lowerBound)
      let to = min(range.upperBound, waits[wait].upperBound)
      spendUnspanned(time..<from, row, place, &visitor)
      if from < to {
        give(from..<to, row, Trace.Spans.none, as: .waiting, place, &visitor)
      }
      time = max(time, to)
      wait += 1
    }
    spendUnspanned(time..<range.upperBound, row, place, &visitor)
  }

  /// Time of a row in no span of its own: that of the task that it ran, or of who was asked to let it
  /// go on.
  private mutating func spendUnspanned<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    guard !links.tasks.isEmpty, trace.tracks[row].kind == .thread else {
      spendGap(range, row, place, &visitor)
      return
    }
    var time = range.lowerBound
    while time < range.upperBound {
      let (task, until) = links.tasks.task(on: row, at: time)
      var part = time..<min(range.upperBound, until)
      if let task, let own = openRow(of: task, at: time) {
        walk(own, part, place, &visitor)
      } else {
        // Up to the next span of the task it is a gap.
        let next = task.map { nextStart(of: $0, after: time) } ?? .max
        part = time..<min(part.upperBound, next)
        spendGap(part, row, place, &visitor)
      }
      time = part.upperBound
    }
  }

  /// The row of a task that has a span open at a time; nil if none has. O(rows · log spans).
  private func openRow(of task: Int, at time: Int64) -> Int? {
    links.tasks.tasks[task].rows.first { row in
      let spans = spansOfRow[row]
      let starts = trace.spans.start
      let next = spans.partitionPoint { starts[$0] <= time }
      guard next > spans.lowerBound else { return false }
      var span = UInt32(truncatingIfNeeded: next - 1)
      for _ in 0..<64 where span != Trace.Spans.none {
        if trace.spans.end[Int(span)] > time { return true }
        span = trace.spans.parent[Int(span)]
      }
      return false
    }
  }

  /// When the next span begins on a row of a task. O(rows · log spans).
  private func nextStart(of task: Int, after time: Int64) -> Int64 {
    let starts = trace.spans.start
    return links.tasks.tasks[task].rows.reduce(.max) { nearest, row in
      let spans = spansOfRow[row]
      let next = spans.partitionPoint { starts[$0] <= time }
      return next < spans.upperBound ? min(nearest, starts[next]) : nearest
    }
  }

  private mutating func spendGap<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let none = Trace.Spans.none
    // On the loop's rows time outside of spans is work that nobody wrapped.
    if !isLoopRow[row], let idle = links.idleHop(on: row, at: range.upperBound) {
      let split = min(max(idle.hop.end, range.lowerBound), range.upperBound)
      follow(idle.hop, range.lowerBound..<split, row, none, place, &visitor)
      give(
        split..<range.upperBound, row, UInt32(truncatingIfNeeded: idle.span), as: .queued, place,
        &visitor)
      return
    }
    if links.hasStates(row) {
      spendByState(range, row, none, place, &visitor)
    } else {
      give(range, row, none, as: .uninstrumented, place, &visitor)
    }
  }

  /// Walks what a task did, on whatever threads it ran.
  private mutating func walkTask<Visitor: CriticalVisitor>(
    _ task: Int, _ window: Range<Int64>, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let own = links.tasks.tasks[task]
    var time = window.lowerBound
    var run = own.runs.partitionPoint { $0.range.upperBound <= time }
    while time < window.upperBound {
      let next = run < own.runs.count ? own.runs[run].range.lowerBound : .max
      if next > time {
        // It ran nowhere: its own row says what it waited for.
        let part = time..<min(window.upperBound, next)
        if let row = openRow(of: task, at: time) {
          walk(row, part, place, &visitor)
        } else {
          spendUnstarted(task, part, place, &visitor)
        }
        time = part.upperBound
        continue
      }
      let part = time..<min(window.upperBound, own.runs[run].range.upperBound)
      walk(own.runs[run].row, part, place, &visitor)
      time = max(time, part.upperBound)
      run += 1
    }
  }

  /// Time of a task that was not seen to run and has no span: it was asked for and had not begun.
  private mutating func spendUnstarted<Visitor: CriticalVisitor>(
    _ task: Int, _ range: Range<Int64>, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let own = links.tasks.tasks[task]
    let row = own.runs.first?.row ?? own.rows.first ?? frame.row
    guard let origin = own.origin else {
      give(range, row, Trace.Spans.none, as: .queued, place, &visitor)
      return
    }
    let split = min(max(origin.end, range.lowerBound), range.upperBound)
    follow(origin, range.lowerBound..<split, row, Trace.Spans.none, place, &visitor)
    give(split..<range.upperBound, row, Trace.Spans.none, as: .queued, place, &visitor)
  }
}

// MARK: - Left-out spans
extension CriticalWalk {
  /// Gives the sums that begin in a window of a row to nodes of their own.
  private mutating func moveSums<Visitor: CriticalVisitor>(
    of openAtBeginning: UInt32, and begun: Range<Int>, on row: Int, _ window: Range<Int64>,
    _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    var around = openAtBeginning
    while around != Trace.Spans.none {
      moveSums(of: Int(around), on: row, window, place, &visitor)
      around = trace.spans.parent[Int(around)]
    }
    var sum = folded.firstPlace(of: begun.lowerBound)
    while let span = folded.span(at: sum), span < begun.upperBound {
      moveSum(at: sum, ofSpan: span, on: row, window, place, &visitor)
      sum += 1
    }
    let top = folded.top(ofTrack: row)
    var next = top.partitionPoint { folded.time(at: $0) < window.lowerBound }
    while next < top.upperBound, folded.time(at: next) < window.upperBound {
      let time = folded.time(at: next)
      let wait = waits.partitionPoint { $0.upperBound <= time }
      let isWaiting = wait < waits.count && waits[wait].contains(time) && isLoopRow[row]
      let sources = [
        tree.node(of: roles[row], in: .uninstrumented), tree.node(of: roles[row], in: .waiting),
      ]
      move(
        next, into: tree.node(of: roles[row], in: .running),
        from: isWaiting ? sources.reversed() : sources, place, &visitor)
      next += 1
    }
  }

  private mutating func moveSums<Visitor: CriticalVisitor>(
    of span: Int, on row: Int, _ window: Range<Int64>, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    var sum = folded.firstPlace(of: span)
    while folded.span(at: sum) == span {
      moveSum(at: sum, ofSpan: span, on: row, window, place, &visitor)
      sum += 1
    }
  }

  private mutating func moveSum<Visitor: CriticalVisitor>(
    at sum: Int, ofSpan span: Int, on row: Int, _ window: Range<Int64>, _ place: CriticalPlace,
    _ visitor: inout Visitor
  ) {
    guard window.contains(folded.time(at: sum)) else { return }
    let node = nodes[span]
    let source = isFrame(UInt32(span), row) ? tree.twin(of: node, in: .uninstrumented) : node
    move(sum, into: node, from: [source], place, &visitor)
  }

  private mutating func move<Visitor: CriticalVisitor>(
    _ sum: Int, into around: PathTree.Node, from sources: [PathTree.Node],
    _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let name = names[Int(folded[sum].site.index)]
    visitor.moveFolded(
      folded.index(at: sum), into: tree.foldedStep(from: around, to: name), from: sources, place)
  }
}

// MARK: - Single pieces
extension CriticalWalk {
  /// The nodes of spans that are frames, and of those around them.
  func frameNodes() -> Set<PathTree.Node> {
    var found = Set(wrapping.nodes(in: tree))
    for frame in series.frames {
      guard let span = frame.span, trace.tracks[frame.track].spans.contains(span),
        nodes.isPrepared(frame.track)
      else { continue }
      var node = nodes[span]
      while tree.isPath(node), found.insert(node).inserted { node = tree.parent(of: node) }
    }
    return found
  }

  /// Finds the nodes of a row, if that was not done.
  mutating func prepare(_ row: Int) { nodes.prepare(row, in: trace, tree: &tree) }

  /// Whether a row is one on which the loop's frames run.
  func isLoop(_ row: Int) -> Bool { isLoopRow[row] }

  /// Goes to a phase, for single pieces of it. `frameSpan` is the span that is the frame, if one is.
  mutating func aim(at phase: FramePhases.Phase, frameSpan: Int?) {
    frame = Frame(window: phase.range, row: phase.row, span: frameSpan)
  }

  /// Gives a piece of a row to where it belongs, without following what it waited for.
  mutating func spendAlone<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ span: UInt32, _ visitor: inout Visitor
  ) {
    spendPlaced(range, row, span, CriticalPlace(hops: Self.mostHops), &visitor)
  }
}
