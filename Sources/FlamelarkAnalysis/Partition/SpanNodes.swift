internal import FlamelarkTrace

/// The node of each span in the tree of paths, found row by row as they are asked for.
///
/// Four bytes a span. O(spans of a row), once.
struct SpanNodes {
  private let names: [NameID]
  private let roles: RowRoles
  /// By span, of the rows that were asked for.
  private var nodes: [UInt32]
  private var isPrepared: [Bool]
  /// How many open spans a name has, by ``NameID``; 0 between two rows.
  private var openCount: [UInt32]
  /// Where each call site led last, and from which node.
  private var lastStep: [(from: UInt32, to: UInt32)]

  init(of trace: Trace, roles: RowRoles) {
    names = trace.callSites.map(\.name)
    self.roles = roles
    nodes = Array(repeating: 0, count: trace.spans.count)
    isPrepared = Array(repeating: false, count: trace.tracks.count)
    openCount = Array(repeating: 0, count: trace.names.count)
    lastStep = Array(repeating: (.max, 0), count: names.count)
  }

  /// The node of a span of a row that was prepared.
  subscript(span: Int) -> PathTree.Node { PathTree.Node(index: nodes[span]) }

  func isPrepared(_ row: Int) -> Bool { isPrepared[row] }

  /// Finds the nodes of a row, if that was not done.
  mutating func prepare(_ row: Int, in trace: Trace, tree: inout PathTree) {
    guard !isPrepared[row] else { return }
    isPrepared[row] = true
    let spans = trace.tracks[row].spans
    let top = tree.node(of: roles[row], in: .running)
    // Of the open spans, innermost last: the span, and the place of its name.
    var open: [(span: UInt32, name: Int, node: UInt32)] = []
    for span in spans {
      let parent = trace.spans.parent[span]
      while let last = open.last, last.span != parent {
        openCount[last.name] &-= 1
        open.removeLast()
      }
      let around = open.last?.node ?? top.index
      let site = Int(trace.spans.site[span].index)
      let name = names[site]
      let node: UInt32
      if lastStep[site].from == around {
        node = lastStep[site].to
      } else {
        node =
          tree.step(
            from: PathTree.Node(index: around), to: name, isOpen: openCount[Int(name.index)] > 0
          ).index
        lastStep[site] = (around, node)
      }
      nodes[span] = node
      openCount[Int(name.index)] &+= 1
      open.append((UInt32(truncatingIfNeeded: span), Int(name.index), node))
    }
    for last in open { openCount[last.name] &-= 1 }
  }
}
