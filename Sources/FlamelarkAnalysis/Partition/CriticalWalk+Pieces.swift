internal import FlamelarkTrace

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

  /// Whether a row ran a task in a time that has a span open at its beginning.
  func runsTask(_ row: Int, in range: Range<Int64>) -> Bool {
    guard !links.tasks.isEmpty, trace.tracks[row].kind == .thread else { return false }
    let task = links.tasks.task(on: row, at: range.lowerBound).task
    return task.flatMap { openRow(of: $0, at: range.lowerBound) } != nil
  }

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
