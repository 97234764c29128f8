internal import FlamelarkTrace

/// Writes down the pieces of a window as steps, those that belong together as one.
struct StepCollector: CriticalVisitor {
  private var pieces: [CriticalPiece] = []

  mutating func spend(_ piece: CriticalPiece) { pieces.append(piece) }

  /// The steps in the order of time.
  func steps(_ tree: PathTree, names: NameTable) -> [CriticalStep] {
    var paths: [PathTree.Node: [String]] = [:]
    return merged().map { piece in
      let path = paths[piece.node] ?? tree.path(of: piece.node).map { names[$0] }
      paths[piece.node] = path
      return CriticalStep(
        range: piece.range, track: piece.row, kind: Cause.Kind(tree, piece.node), path: path,
        hops: piece.place.hops, link: piece.place.link, earlierFrame: piece.place.earlierFrame)
    }
  }

  /// The pieces in the order of time, one for those that differ in nothing but time.
  private func merged() -> [CriticalPiece] {
    var merged: [CriticalPiece] = []
    for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = merged.last, last.node == piece.node, last.row == piece.row,
        last.place == piece.place
      {
        merged[merged.count - 1].range = last.range.lowerBound..<piece.range.upperBound
      } else {
        merged.append(piece)
      }
    }
    return merged
  }
}
