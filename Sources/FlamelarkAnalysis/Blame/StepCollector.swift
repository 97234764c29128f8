internal import FlamelarkTrace

/// Writes down the pieces of a window as steps, those that belong together as one.
struct StepCollector: CriticalVisitor {
  private var pieces: [CriticalPiece] = []

  mutating func spend(_ piece: CriticalPiece) { pieces.append(piece) }

  /// The steps in the order of time.
  func steps(_ tree: PathTree, names: NameTable) -> [CriticalStep] {
    var steps: [CriticalStep] = []
    var last: CriticalPiece?
    for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let step = CriticalStep(
        range: piece.range, track: piece.row, kind: Cause.Kind(tree, piece.node),
        path: tree.path(of: piece.node).map { names[$0] }, hops: piece.place.hops,
        link: piece.place.link, earlierFrame: piece.place.earlierFrame)
      if let before = steps.last, let last, last.node == piece.node,
        before.track == step.track, before.hops == step.hops, before.link == step.link,
        before.earlierFrame == step.earlierFrame
      {
        steps[steps.count - 1] = CriticalStep(
          range: before.range.lowerBound..<step.range.upperBound, track: step.track,
          kind: step.kind, path: step.path, hops: step.hops, link: step.link,
          earlierFrame: step.earlierFrame)
      } else {
        steps.append(step)
      }
      last = piece
    }
    return steps
  }
}
