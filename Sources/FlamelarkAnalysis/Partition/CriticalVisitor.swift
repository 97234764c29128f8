/// A piece of a frame's time: what one row did from one moment to another.
struct CriticalPiece {
  var range: Range<Int64>
  var row: Int
  /// Where in the tree it goes.
  var node: PathTree.Node
  /// The innermost span, `Trace.Spans.none` outside of all.
  var span: UInt32
  var place: CriticalPlace
}

/// How a walk came to a row.
struct CriticalPlace: Equatable {
  /// How many waits lead to it.
  var hops = 0
  /// By what it was waited for.
  var link: CriticalLink?
  /// The earlier frame whose work it was.
  var earlierFrame: Int?
}

/// What goes along with a walk over what frames spent their time on.
protocol CriticalVisitor {
  /// A piece of time. The pieces of a window add up to it.
  mutating func spend(_ piece: CriticalPiece)
  /// A span that began.
  mutating func begin(_ span: Int, _ node: PathTree.Node, _ place: CriticalPlace)
  /// Spans that a filter left out: some time of `sources`, whose pieces were given already, is theirs.
  mutating func moveFolded(
    _ sum: Int, into node: PathTree.Node, from sources: [PathTree.Node], _ place: CriticalPlace)
}

extension CriticalVisitor {
  mutating func begin(_ span: Int, _ node: PathTree.Node, _ place: CriticalPlace) {}
  mutating func moveFolded(
    _ sum: Int, into node: PathTree.Node, from sources: [PathTree.Node], _ place: CriticalPlace
  ) {}
}
