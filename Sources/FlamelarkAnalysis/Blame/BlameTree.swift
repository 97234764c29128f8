/// The lateness of all hitches on the tree of paths.
struct BlameTree {
  /// What each node bears itself.
  private(set) var own: [Int64]
  /// What each node bears with all below it.
  private(set) var borne: [Int64]
  /// That of it which it bore where it had most of what the node around it bore.
  private var leading: [Int64]

  /// A part that has at least this much of what a node bears stands for it.
  private static let leadingShare = 0.7

  init(nodeCount: Int) {
    own = Array(repeating: 0, count: nodeCount)
    borne = own
    leading = own
  }

  /// Whether a node is the reason wherever it bears much: it mostly has nearly all of what the node
  /// around it bears. If not, it is the node around it whose name says what happened.
  func standsAlone(_ node: PathTree.Node) -> Bool { leading[node.at] >= borne[node.at] / 2 }

  /// Takes in what a phase bears of a hitch. `nodes` are those that it touched.
  mutating func add(_ split: ExcessSplit, nodes: [PathTree.Node], tree: PathTree) {
    for part in split.parts { own[part.node.at] += part.blame }
    for node in nodes {
      let blame = split.blame(of: node)
      guard blame > 0 else { continue }
      borne[node.at] += blame
      let around = split.blame(of: tree.parent(of: node))
      if Double(blame) >= Double(around) * Self.leadingShare { leading[node.at] += blame }
    }
  }
}
