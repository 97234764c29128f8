internal import FlamelarkTrace

extension CriticalWalk {
  /// Gives the sums that begin in a window of a row to nodes of their own.
  mutating func moveSums<Visitor: CriticalVisitor>(
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
