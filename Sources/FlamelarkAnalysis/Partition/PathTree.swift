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

  /// What became of time.
  enum TimeClass: UInt32, Sendable, CaseIterable {
    /// A span had it.
    case running = 1
    /// No span names it.
    case uninstrumented
    /// The loop had nothing to do: never a cause.
    case waiting
    /// A thread was ready to run, and another had the processor.
    case preempted
    /// A thread waited, and nobody knows for whom.
    case blocked
    /// What had been asked for had not begun.
    case queued
  }

  /// What a thread is for. Threads of a role stand for each other.
  struct Role: Sendable, Hashable {
    var number: UInt32
    /// That of the threads on which the loop's frames run.
    static let loop = Role(number: 0)
  }

  static let root = Node(index: 0)
  static let runningLoop = Node(index: 7)
  static let waitingLoop = Node(index: 9)

  /// The root, the classes, and the loop's role in each class.
  private var parents: [UInt32] = [0] + Array(repeating: 0, count: 6) + Array(1...6)
  /// The names of the nodes of paths, the numbers of roles; of the others nothing.
  private var labels: [UInt32] = Array(repeating: 0, count: 13)
  private var classes: [UInt8] = [0] + Array(1...6) + Array(1...6)
  private var edges = EdgeTable()
  /// From a node and a name to the node of left-out spans.
  private var foldedEdges = EdgeTable()
  /// From a node and a class to the same path in that class.
  private var twins = EdgeTable()
  private var roleNodes: [Role: [Node]] = [:]
  /// Whether a node stands for left-out spans.
  private var isFoldedNode: [Bool] = Array(repeating: false, count: 13)

  private var depths: [UInt32] = [0] + Array(repeating: 1, count: 6) + Array(repeating: 2, count: 6)
  /// How many nodes lead from the root to the one that is furthest from it.
  private(set) var greatestDepth = 2

  /// How many nodes there are.
  var count: Int { parents.count }

  /// The node around a node; the root's is itself.
  func parent(of node: Node) -> Node { Node(index: parents[node.at]) }

  /// Whether a node stands for a path of spans.
  func isPath(_ node: Node) -> Bool { parents[node.at] > 6 }

  /// Whether a node stands for a role in a class.
  func isRole(_ node: Node) -> Bool { (1...6).contains(parents[node.at]) }

  /// Whether a node stands for spans that a filter left out. Nothing is below it.
  func isFolded(_ node: Node) -> Bool { isFoldedNode[node.at] }

  /// What became of the time of a node, nil of the root's.
  func timeClass(of node: Node) -> TimeClass? { TimeClass(rawValue: UInt32(classes[node.at])) }

  /// The role under which a node stands, nil of the root and the classes. O(depth).
  func role(of node: Node) -> Role? {
    var node = node
    while isPath(node) { node = parent(of: node) }
    return isRole(node) ? Role(number: labels[node.at]) : nil
  }

  /// The node of a role in a class.
  mutating func node(of role: Role, in timeClass: TimeClass) -> Node {
    if role == .loop { return Node(index: 6 + timeClass.rawValue) }
    if let known = roleNodes[role] { return known[Int(timeClass.rawValue) - 1] }
    let added = TimeClass.allCases.map {
      append(under: Node(index: $0.rawValue), label: role.number)
    }
    roleNodes[role] = added
    return added[Int(timeClass.rawValue) - 1]
  }

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

  /// The node of a name within a node, nil if there is none.
  func find(_ name: NameID, under node: Node) -> Node? {
    edges.find(node.index, name.index).map(Node.init(index:))
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

  /// The node with the role and path of a node in another class. O(1), and O(depth) the first time;
  /// all twins of a path together cost its depth once.
  mutating func twin(of node: Node, in timeClass: TimeClass) -> Node {
    if let known = twins.find(node.index, timeClass.rawValue) { return Node(index: known) }
    var missing: [Node] = []
    var around = node
    var twin: Node?
    while isPath(around), twin == nil {
      missing.append(around)
      around = parent(of: around)
      twin = twins.find(around.index, timeClass.rawValue).map(Node.init(index:))
    }
    var reached = twin ?? self.node(of: Role(number: labels[around.at]), in: timeClass)
    for original in missing.reversed() {
      reached = append(under: reached, name(of: original))
      twins.insert(original.index, timeClass.rawValue, reached.index)
    }
    return reached
  }

  private mutating func append(
    under node: Node, _ name: NameID, isFolded: Bool = false
  ) -> Node {
    append(under: node, label: name.index, isFolded: isFolded)
  }

  private mutating func append(under node: Node, label: UInt32, isFolded: Bool = false) -> Node {
    parents.append(node.index)
    labels.append(label)
    classes.append(classes[node.at])
    isFoldedNode.append(isFolded)
    depths.append(depths[node.at] + 1)
    greatestDepth = max(greatestDepth, Int(depths[node.at]) + 1)
    return Node(index: UInt32(parents.count - 1))
  }
}
