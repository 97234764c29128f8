internal import FlamelarkTrace

/// Goes along a thread and gives each instant of a window to the deepest span open at it.
///
/// Windows in the order of time cost one pass over the thread; a window before the last one costs a
/// search more. What follows another window at once takes over its open spans.
struct ThreadWalk {
  private struct OpenSpan {
    var span: UInt32
    var node: PathTree.Node
    /// Where its self time goes: ``node``, or elsewhere if the span is the frame itself.
    var selfNode: PathTree.Node
    /// The next of the sums of left-out spans in it.
    var nextSum: Int
  }

  private let spans: Trace.Spans
  private let names: [NameID]
  private let waits: [Range<Int64>]
  /// How many open spans a name has, by ``NameID``.
  private var openCount: [UInt32]
  private var open: [OpenSpan] = []
  /// The spans of the thread that have not begun.
  private var coming: Range<Int> = 0..<0
  private var thread: Range<Int> = 0..<0
  private var time = Int64.min
  /// The first of ``waits`` that doesn't end before ``time``.
  private var wait = 0
  /// The last frame span's node and its twin.
  private var lastTwin: (node: PathTree.Node, twin: PathTree.Node)?

  /// The left-out spans.
  private(set) var folded: FoldedPlacement

  /// Takes in each span of a window, where that is wanted.
  var callSites: CallSiteTimes?

  /// `waits` are the times in which the loop had nothing to do, ascending and apart.
  init(trace: Trace, waits: [Range<Int64>]) {
    spans = trace.spans
    names = trace.callSites.map(\.name)
    openCount = Array(repeating: 0, count: trace.names.count)
    self.waits = waits
    folded = FoldedPlacement(of: trace)
  }

  /// Goes to the beginning of a thread.
  mutating func enter(thread: Range<Int>, track: Int) {
    self.thread = thread
    rewind(before: thread.lowerBound)
    folded.enter(track: track, spans: thread)
    time = .min
    wait = 0
  }

  /// Adds the time of a window to a row. `frameSpan` is the span that is the frame, if one is.
  mutating func walk(
    _ window: Range<Int64>, frameSpan: Int?, tree: inout PathTree, row: inout RowScratch
  ) {
    if window.lowerBound < time { seek(window.lowerBound, tree: &tree) }
    while let span = coming.first, spans.start[span] < window.lowerBound {
      closeUntilParent(of: span)
      begin(span, frameSpan: nil, tree: &tree)
    }
    while let last = open.last, spans.end[Int(last.span)] < window.lowerBound { close() }
    time = window.lowerBound
    if callSites != nil { for span in open { note(span, in: window) } }
    while let span = coming.first, spans.start[span] < window.upperBound {
      while let last = open.last, last.span != spans.parent[span] {
        pass(to: min(spans.end[Int(last.span)], window.upperBound), row: &row)
        close(in: window)
      }
      pass(to: spans.start[span], row: &row)
      row.addCall(to: begin(span, frameSpan: frameSpan, tree: &tree))
      if callSites != nil, let last = open.last { note(last, in: window) }
    }
    // A span that ends with the window stays: one without duration may still begin in it.
    while let last = open.last, spans.end[Int(last.span)] < window.upperBound {
      pass(to: spans.end[Int(last.span)], row: &row)
      close(in: window)
    }
    pass(to: window.upperBound, row: &row)
    guard !folded.isEmpty else { return }
    for index in open.indices { collectSums(ofOpen: index, in: window) }
    folded.place(in: window, waits: waits, tree: &tree, row: &row, callSites: &callSites)
  }

  /// Gives the time up to `end` to the innermost open span.
  private mutating func pass(to end: Int64, row: inout RowScratch) {
    guard end > time else { return }
    if let last = open.last {
      row.add(time: end - time, to: last.selfNode)
      time = end
      return
    }
    while time < end {
      while wait < waits.count, waits[wait].upperBound <= time { wait += 1 }
      let next = wait < waits.count ? waits[wait] : end..<end
      let isWaiting = next.lowerBound <= time && !next.isEmpty
      let stop = min(end, isWaiting ? next.upperBound : max(next.lowerBound, time + 1))
      row.add(
        time: stop - time,
        to: isWaiting ? PathTree.waitingLoop : PathTree.uninstrumentedLoop)
      time = stop
    }
  }

  private mutating func note(_ open: OpenSpan, in window: Range<Int64>) {
    let span = Int(open.span)
    let time = min(spans.end[span], window.upperBound) - max(spans.start[span], window.lowerBound)
    callSites?.add(time: max(0, time), at: spans.site[span], node: open.node)
    if open.selfNode != open.node {
      callSites?.add(time: max(0, time), at: spans.site[span], node: open.selfNode)
    }
  }

  @discardableResult
  private mutating func begin(
    _ span: Int, frameSpan: Int?, tree: inout PathTree, isInOrder: Bool = true
  ) -> PathTree.Node {
    let name = names[Int(spans.site[span].index)]
    let around = open.last?.node ?? PathTree.runningLoop
    let node = tree.step(from: around, to: name, isOpen: openCount[Int(name.index)] > 0)
    var selfNode = node
    if span == frameSpan {
      if let lastTwin, lastTwin.node == node {
        selfNode = lastTwin.twin
      } else {
        selfNode = tree.uninstrumentedTwin(of: node)
        lastTwin = (node, selfNode)
      }
    }
    openCount[Int(name.index)] += 1
    open.append(
      OpenSpan(
        span: UInt32(truncatingIfNeeded: span), node: node, selfNode: selfNode,
        nextSum: folded.begin(span: span, isInOrder: isInOrder)))
    coming = span + 1..<thread.upperBound
    return node
  }

  private mutating func close() {
    guard let last = open.popLast() else { return }
    openCount[Int(names[Int(spans.site[Int(last.span)].index)].index)] -= 1
  }

  /// Closes the innermost span, whose end is in the window.
  private mutating func close(in window: Range<Int64>) {
    if !folded.isEmpty { collectSums(ofOpen: open.count - 1, in: window) }
    close()
  }

  private mutating func collectSums(ofOpen index: Int, in window: Range<Int64>) {
    let span = open[index]
    folded.collect(
      from: &open[index].nextSum, of: span.span, node: span.node, source: span.selfNode,
      in: window)
  }

  private mutating func closeUntilParent(of span: Int) {
    while let last = open.last, last.span != spans.parent[span] { close() }
  }

  private mutating func rewind(before span: Int) {
    while !open.isEmpty { close() }
    coming = span..<thread.upperBound
  }

  /// Goes back to a time. O(log spans + depth).
  private mutating func seek(_ start: Int64, tree: inout PathTree) {
    let low = thread.partitionPoint { spans.start[$0] < start }
    // What may be open then are the last begun span and those around it; the walk closes the rest.
    var around: [Int] = []
    var span = low > thread.lowerBound ? UInt32(truncatingIfNeeded: low - 1) : Trace.Spans.none
    while span != Trace.Spans.none {
      around.append(Int(span))
      span = spans.parent[Int(span)]
    }
    rewind(before: low)
    for span in around.reversed() {
      begin(span, frameSpan: nil, tree: &tree, isInOrder: false)
    }
    folded.seek(start)
    coming = low..<thread.upperBound
    time = start
    wait = waits.partitionPoint { $0.upperBound <= start }
  }
}
