internal import FlamelarkTrace

extension CriticalWalk {
  /// Gives the sums that begin in a window of a row to nodes of their own.
  mutating func moveSums<Visitor: CriticalVisitor>(
    of openAtBeginning: UInt32, and begun: Range<Int>, on row: Int, _ window: Range<Int64>,
    _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    var around = openAtBeginning
    while around != Trace.Spans.none {
      for sum in folded.places(ofSpan: Int(around), in: window) {
        moveSum(at: sum, ofSpan: Int(around), on: row, place, &visitor)
      }
      around = trace.spans.parent[Int(around)]
      effort -= 1
    }
    // Most spans have none.
    for sum in folded.places(ofSpans: begun) where window.contains(folded.time(at: sum)) {
      moveSum(at: sum, ofSpan: folded.span(at: sum), on: row, place, &visitor)
    }
    for sum in folded.topPlaces(ofTrack: row, in: window) {
      let time = folded.time(at: sum)
      let wait = waits.partitionPoint { $0.upperBound <= time }
      let isWaiting = wait < waits.count && waits[wait].contains(time) && isLoopRow[row]
      let sources = [
        tree.node(of: roles[row], in: .uninstrumented), tree.node(of: roles[row], in: .waiting),
      ]
      move(
        sum, into: tree.node(of: roles[row], in: .running),
        from: isWaiting ? sources.reversed() : sources, place, &visitor)
    }
  }

  private mutating func moveSum<Visitor: CriticalVisitor>(
    at sum: Int, ofSpan span: Int, on row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
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
