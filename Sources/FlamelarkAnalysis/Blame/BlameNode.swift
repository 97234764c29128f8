internal import FlamelarkTrace

/// A place in the tree of all lateness of a series: what `flame --of blame` draws.
///
/// Nodes stand in the order of a walk through the tree, parents before children. The width of a node
/// is ``total``; its children and ``own`` add up to it.
public struct BlameNode: Sendable, Equatable {
  /// How far from the root, which is 0.
  public let depth: Int
  /// What to call it: a span's name, a thread, a kind.
  public let name: String
  /// What the time was.
  public let kind: Cause.Kind
  /// Lateness that it bears itself, in nanoseconds.
  public let own: Int64
  /// With all below it.
  public let total: Int64
}

extension BlameNode {
  /// The nodes of a tree that bear anything. `own` is what each bears itself.
  static func walk(
    _ tree: PathTree, own: [Int64], backlog: Int64, names: NameTable,
    roleName: (PathTree.Role) -> String?
  ) -> [BlameNode] {
    var totals = own
    for index in stride(from: tree.count - 1, to: 0, by: -1) {
      let node = PathTree.Node(index: UInt32(index))
      totals[tree.parent(of: node).at] += totals[index]
    }
    let whole = totals[PathTree.root.at] + backlog
    guard whole > 0 else { return [] }
    var children: [[PathTree.Node]] = Array(repeating: [], count: tree.count)
    for index in 1..<tree.count where totals[index] > 0 {
      let node = PathTree.Node(index: UInt32(index))
      children[tree.parent(of: node).at].append(node)
    }
    var nodes = [
      BlameNode(
        depth: 0, name: "late", kind: .other, own: own[PathTree.root.at], total: whole)
    ]
    var open = children[PathTree.root.at].reversed().map { (node: $0, depth: 1) }
    while let (node, depth) = open.popLast() {
      let sum = children[node.at].reduce(own[node.at]) { $0 + totals[$1.at] }
      Law.partsAreWithinWholes.check(
        sum == totals[node.at] && totals[node.at] <= whole && own[node.at] >= 0,
        "\(sum) of \(totals[node.at]) ns, all \(whole) ns")
      let kind = Cause.Kind(tree, node)
      nodes.append(
        BlameNode(
          depth: depth, name: name(of: node, kind, tree, names, roleName), kind: kind,
          own: own[node.at], total: totals[node.at]))
      open += children[node.at].reversed().map { ($0, depth + 1) }
    }
    if backlog > 0 {
      nodes.append(
        BlameNode(depth: 1, name: "backlog", kind: .backlog, own: backlog, total: backlog))
    }
    return nodes
  }

  private static func name(
    of node: PathTree.Node, _ kind: Cause.Kind, _ tree: PathTree, _ names: NameTable,
    _ roleName: (PathTree.Role) -> String?
  ) -> String {
    if tree.isPath(node) { return names[tree.name(of: node)] }
    guard let role = tree.role(of: node) else { return kind == .span ? "in spans" : kind.rawValue }
    return roleName(role) ?? "the loop"
  }
}

extension Cause.Kind {
  /// What the time of a node was.
  init(_ tree: PathTree, _ node: PathTree.Node) {
    switch tree.timeClass(of: node) {
    case .running: self = tree.isFolded(node) ? .folded : .span
    case .uninstrumented: self = .uninstrumented
    case .preempted: self = .preempted
    case .blocked: self = .blocked
    case .queued: self = .queued
    case .waiting, nil: self = .other
    }
  }
}
