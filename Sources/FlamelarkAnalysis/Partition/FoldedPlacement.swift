internal import FlamelarkTrace

/// Takes the time of left-out spans out of the span around them and gives it to nodes of their own.
///
/// A sum belongs to the window in which it begins. It never takes more than what the span around it
/// has there; what it says beyond that stays where it is and is counted.
struct FoldedPlacement {
  private struct Pending {
    var place: Int
    var node: PathTree.Node
    /// Where the self time of the span around it went.
    var source: PathTree.Node
  }

  private let index: FoldedIndex
  private let names: [NameID]
  /// The next sum of a span that begins.
  private var next = 0
  /// The next sum at the top of the row.
  private var nextTop = 0
  private var top: Range<Int> = 0..<0
  private var pending: [Pending] = []
  /// The time that was moved to nodes of left-out spans.
  private(set) var placedTime: Int64 = 0
  /// The time that the spans around them did not have.
  private(set) var unplacedTime: Int64 = 0

  init(of trace: Trace) {
    index = FoldedIndex(of: trace)
    names = trace.callSites.map(\.name)
  }

  var isEmpty: Bool { index.isEmpty }

  /// Goes to the beginning of a row.
  mutating func enter(track: Int, spans: Range<Int>) {
    top = index.top(ofTrack: track)
    nextTop = top.lowerBound
    next = index.firstPlace(of: spans.lowerBound)
  }

  /// Goes to a time of the row. O(log sums).
  mutating func seek(_ time: Int64) {
    nextTop = top.partitionPoint { index.time(at: $0) < time }
  }

  /// Where the sums of a span begin that begins now. Spans that begin in order cost one pass.
  mutating func begin(span: Int, isInOrder: Bool) -> Int {
    guard !index.isEmpty else { return 0 }
    if !isInOrder { next = index.firstPlace(of: span) }
    while next < index.places.upperBound, index[next].parent < UInt32(truncatingIfNeeded: span) {
      next += 1
    }
    return next
  }

  /// Takes in the sums of a span that begin before the end of a window, from `place` on.
  mutating func collect(
    from place: inout Int, of span: UInt32, node: PathTree.Node, source: PathTree.Node,
    in window: Range<Int64>
  ) {
    while index.isAt(place, span: span), index.time(at: place) < window.upperBound {
      if index.time(at: place) >= window.lowerBound {
        pending.append(Pending(place: place, node: node, source: source))
      }
      place += 1
    }
  }

  /// Moves the time of what was taken in, once the window's time is in the row.
  mutating func place(
    in window: Range<Int64>, waits: [Range<Int64>], tree: inout PathTree, row: inout RowScratch,
    callSites: inout CallSiteTimes?
  ) {
    for sum in pending {
      move(index[sum.place], into: sum.node, from: [sum.source], &tree, &row, &callSites)
    }
    pending.removeAll(keepingCapacity: true)
    while nextTop < top.upperBound, index.time(at: nextTop) < window.upperBound {
      let time = index.time(at: nextTop)
      if time >= window.lowerBound {
        let wait = waits.partitionPoint { $0.upperBound <= time }
        let isWaiting = wait < waits.count && waits[wait].contains(time)
        let sources = [PathTree.uninstrumentedLoop, PathTree.waitingLoop]
        move(
          index[nextTop], into: PathTree.runningLoop,
          from: isWaiting ? sources.reversed() : sources, &tree, &row, &callSites)
      }
      nextTop += 1
    }
  }

  private mutating func move(
    _ sum: Trace.FoldedSpans, into around: PathTree.Node, from sources: [PathTree.Node],
    _ tree: inout PathTree, _ row: inout RowScratch, _ callSites: inout CallSiteTimes?
  ) {
    let node = tree.foldedStep(from: around, to: names[Int(sum.site.index)])
    var rest = max(0, sum.selfTime)
    for source in sources where rest > 0 {
      let moved = min(rest, row.time(of: source))
      row.add(time: -moved, to: source)
      row.add(time: moved, to: node)
      callSites?.add(time: moved, at: sum.site, node: node)
      placedTime = placedTime.plus(moved)
      rest -= moved
    }
    unplacedTime = unplacedTime.plus(rest)
    row.addCalls(UInt32(clamping: sum.count), to: node)
  }
}
