internal import FlamelarkTrace

/// Which nodes of the tree are causes: one cut for the whole series, so that a cause has the same
/// name in every hitch.
///
/// From the top down, each node that bears lateness itself is a cause of its own. A node takes what is
/// below it only where none of its parts has a third of that: so a cell configured 40 times instead of 6
/// is named, and not the seven small things that it does. A part that mostly has nearly all of what its
/// node bears stands alone all the same: a picture in a cell that takes long at other times.
///
/// A span that is the frame never takes its parts, nor one around it: it would say nothing.
struct NamedCut {
  /// A cause before its figures.
  struct Definition {
    var kind: Cause.Kind
    var node: PathTree.Node
    var thread: String?
    var path: [String]
  }

  private(set) var definitions: [Definition] = []
  /// The place of each definition in the order of their paths.
  private(set) var rank: [Int] = []
  /// The definition that takes what a node bears itself.
  private var definitionOf: [Int32]

  /// All paths together have at most this many names. Where spans are nested thousands deep, what
  /// bears least is left to the nearest span around it that has a name.
  private static let mostNames = 1 << 20
  /// The definition of what no part stands out enough to bear.
  static let other = 0
  /// The definition of what earlier frames leave.
  static let backlog = 1

  /// The index of the definition that takes what a node bears itself.
  func definition(of node: PathTree.Node) -> Int { Int(definitionOf[node.at]) }

  /// The same, nil of a node that no frame had.
  func definitionIfKnown(of node: PathTree.Node) -> Int? {
    node.at < definitionOf.count ? Int(definitionOf[node.at]) : nil
  }

  init(
    of blame: BlameTree, tree: PathTree, frames: Set<PathTree.Node>, names: NameTable,
    roleName: (PathTree.Role) -> String?
  ) {
    let nodes = (0..<UInt32(tree.count)).map(PathTree.Node.init(index:))
    definitions = [
      Definition(kind: .other, node: PathTree.root, path: []),
      Definition(kind: .backlog, node: PathTree.root, path: []),
    ]
    definitionOf = Array(repeating: Int32(Self.other), count: nodes.count)
    let candidates = Self.candidates(of: blame, tree: tree, frames: frames, nodes: nodes)
    var isCause = Array(repeating: false, count: nodes.count)
    var room = Self.mostNames
    for candidate in candidates.sorted(by: { ($1.blame, $0.node) < ($0.blame, $1.node) }) {
      guard candidate.depth <= room else { continue }
      room -= candidate.depth
      isCause[candidate.node.at] = true
    }
    for node in nodes where node != PathTree.root {
      if isCause[node.at] {
        definitionOf[node.at] = Int32(definitions.count)
        definitions.append(
          Definition(
            kind: Cause.Kind(tree, node), node: node,
            thread: tree.role(of: node).flatMap(roleName),
            path: tree.path(of: node).map { names[$0] }))
      } else {
        definitionOf[node.at] = definitionOf[tree.parent(of: node).at]
      }
    }
    rank = ranked()
  }

  private struct Candidate {
    var node: PathTree.Node
    var blame: Int64
    var depth: Int
  }

  /// The nodes that the rule makes causes.
  private static func candidates(
    of blame: BlameTree, tree: PathTree, frames: Set<PathTree.Node>, nodes: [PathTree.Node]
  ) -> [Candidate] {
    // Of what each node bears, what it bears itself and what parts bear that don't stand alone.
    var shared = blame.own
    var greatest = blame.own
    for node in nodes.reversed() where node != PathTree.root {
      let parent = tree.parent(of: node)
      guard takes(node, of: parent, blame, tree) else { continue }
      shared[parent.at] += blame.borne[node.at]
      greatest[parent.at] = max(greatest[parent.at], blame.borne[node.at])
    }
    let takesParts = nodes.map { node in
      mayTakeParts(node, tree) && !frames.contains(node) && greatest[node.at] < shared[node.at] / 3
        || tree.timeClass(of: node) == .preempted
    }
    var found: [Candidate] = []
    var isTaken = Array(repeating: false, count: nodes.count)
    var depth = Array(repeating: 0, count: nodes.count)
    for node in nodes where blame.borne[node.at] > 0 && node != PathTree.root {
      let parent = tree.parent(of: node)
      depth[node.at] = depth[parent.at] + 1
      guard tree.isPath(node) || tree.isRole(node) else { continue }
      if isTaken[parent.at] || takesParts[parent.at] && takes(node, of: parent, blame, tree) {
        isTaken[node.at] = true
        continue
      }
      let taken = takesParts[node.at] ? shared[node.at] : blame.own[node.at]
      if taken > 0 { found.append(Candidate(node: node, blame: taken, depth: depth[node.at])) }
    }
    return found
  }

  /// Whether a part goes with the node around it.
  private static func takes(
    _ node: PathTree.Node, of parent: PathTree.Node, _ blame: BlameTree, _ tree: PathTree
  ) -> Bool {
    guard tree.isPath(parent) || tree.isRole(parent) else { return false }
    // Who had the processor instead doesn't depend on what was running.
    return tree.timeClass(of: node) == .preempted || !blame.standsAlone(node)
  }

  /// Whether what is below a node may be told under its name.
  private static func mayTakeParts(_ node: PathTree.Node, _ tree: PathTree) -> Bool {
    switch tree.timeClass(of: node) {
    case .blocked, .queued: tree.isPath(node) || tree.isRole(node)
    case .running: tree.isPath(node)
    case .preempted, .uninstrumented, .waiting, nil: false
    }
  }

  private func ranked() -> [Int] {
    let order = definitions.indices.sorted { a, b in
      let (left, right) = (definitions[a], definitions[b])
      if left.path == right.path {
        return (left.kind.order, left.thread ?? "") < (right.kind.order, right.thread ?? "")
      }
      return left.path.lexicographicallyPrecedes(right.path)
    }
    var rank = Array(repeating: 0, count: order.count)
    for (place, definition) in order.enumerated() { rank[definition] = place }
    return rank
  }
}

extension Cause.Kind {
  /// The order of causes that are equal in blame and path.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
