internal import FlamelarkTrace

/// Where the time of frames can go, as one tree for all frames of a series.
///
///     root > class > role > span > … > span
///
/// The class says what a thread did, the role which thread it was; under them stand the paths of
/// span names, recursion cut out. The class comes first so that small losses spread over many spans
/// add up. A parent has a smaller index than its children: a loop over the indices replaces
/// recursion.
struct PathTree: Sendable {
  /// A place in the tree.
  struct Node: Sendable, Hashable, Comparable {
    /// The index of its column entries.
    var index: UInt32

    /// The index for arrays.
    var at: Int { Int(index) }

    static func < (a: Self, b: Self) -> Bool { a.index < b.index }
  }

  static let root = Node(index: 0)
  /// Time in spans.
  static let running = Node(index: 1)
  /// Time of a frame that no span names.
  static let uninstrumented = Node(index: 2)
  /// Time in which the loop had nothing to do: never a cause.
  static let waiting = Node(index: 3)
  /// The thread of the loop itself, under each class.
  static let runningLoop = Node(index: 4)
  static let uninstrumentedLoop = Node(index: 5)
  static let waitingLoop = Node(index: 6)

  private var parents: [UInt32] = [0, 0, 0, 0, 1, 2, 3]
  /// The names of the nodes of paths; of the others nothing.
  private var labels: [UInt32] = [0, 0, 0, 0, 0, 0, 0]
  private var edges = EdgeTable()
  /// From a node and a name to the node of left-out spans.
  private var foldedEdges = EdgeTable()
  /// Whether a node stands for left-out spans.
  private var isFoldedNode: [Bool] = Array(repeating: false, count: 7)

  /// How many nodes there are.
  var count: Int { parents.count }

  /// The node around a node; the root's is itself.
  func parent(of node: Node) -> Node { Node(index: parents[node.at]) }

  /// Whether a node stands for a path of spans.
  func isPath(_ node: Node) -> Bool { parents[node.at] > Self.waiting.index }

  /// Whether a node stands for spans that a filter left out. Nothing is below it.
  func isFolded(_ node: Node) -> Bool { isFoldedNode[node.at] }

  /// The names from the root to a node. O(depth).
  func path(of node: Node) -> [NameID] {
    var path: [NameID] = []
    var node = node
    while isPath(node) {
      path.append(NameID(labels[node.at]))
      node = parent(of: node)
    }
    return path.reversed()
  }

  /// The last name of a path.
  func name(of node: Node) -> NameID { NameID(labels[node.at]) }

  /// The node of a span within the span at `node`.
  ///
  /// A name that stands on the way already leads back to where it stood: a > b > a is a, so
  /// recursion counts once. `isOpen` says that a span of the name is open, so that there may be such
  /// a place. O(1), and O(depth) the first time a recursion is met.
  mutating func step(from node: Node, to name: NameID, isOpen: Bool) -> Node {
    if let known = edges.find(node.index, name.index) { return Node(index: known) }
    let reached = (isOpen ? place(of: name, around: node) : nil) ?? append(under: node, name)
    edges.insert(node.index, name.index, reached.index)
    return reached
  }

  /// The node of left-out spans within the span at `node`: beside that of the spans of the same name
  /// that were recorded, so that the time of a path stays below it.
  ///
  /// A recursion leads to where the name stands, as in ``step(from:to:isOpen:)``. O(1), and O(depth)
  /// the first time.
  mutating func foldedStep(from node: Node, to name: NameID) -> Node {
    if let known = foldedEdges.find(node.index, name.index) { return Node(index: known) }
    let reached = place(of: name, around: node) ?? append(under: node, name, isFolded: true)
    foldedEdges.insert(node.index, name.index, reached.index)
    return reached
  }

  /// Where a name stands on the way to a node, nil if it doesn't. O(depth).
  private func place(of name: NameID, around node: Node) -> Node? {
    var node = node
    while isPath(node) {
      if labels[node.at] == name.index { return node }
      node = parent(of: node)
    }
    return nil
  }

  /// The node with the path of `node` under the loop's uninstrumented time. O(depth).
  mutating func uninstrumentedTwin(of node: Node) -> Node {
    var twin = Self.uninstrumentedLoop
    for name in path(of: node) { twin = step(from: twin, to: name, isOpen: false) }
    return twin
  }

  private mutating func append(
    under node: Node, _ name: NameID, isFolded: Bool = false
  ) -> Node {
    parents.append(node.index)
    labels.append(name.index)
    isFoldedNode.append(isFolded)
    return Node(index: UInt32(parents.count - 1))
  }
}
