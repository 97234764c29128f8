/// One frame's row with the time of each node and all below it.
///
/// Only what the frame touched is in it: a node that isn't took no time. Waiting is left out.
struct InclusiveRow {
  /// What a frame touched, parents first, the root at the beginning.
  private(set) var nodes: [PathTree.Node] = []
  private var selfTimes: [Int64] = []
  private var inclusiveTimes: [Int64] = []
  private var callCounts: [UInt32] = []
  private var isTouched: [Bool] = []

  /// A row for the nodes of a tree.
  init(nodeCount: Int) {
    selfTimes = Array(repeating: 0, count: nodeCount)
    inclusiveTimes = selfTimes
    callCounts = Array(repeating: 0, count: nodeCount)
    isTouched = Array(repeating: false, count: nodeCount)
  }

  /// The time of a node alone.
  func selfTime(of node: PathTree.Node) -> Int64 { selfTimes[node.at] }

  /// The time of a node and all below it.
  func time(of node: PathTree.Node) -> Int64 { inclusiveTimes[node.at] }

  /// How often the span of a node began.
  func calls(of node: PathTree.Node) -> UInt32 { callCounts[node.at] }

  /// Takes in a frame in place of the last one. O(touched · log touched).
  mutating func load(_ row: ArraySlice<FramePartition.Entry>, of tree: PathTree) {
    forget()
    touch(PathTree.root)
    for entry in row where entry.node != PathTree.waitingLoop {
      take(entry)
      inclusiveTimes[entry.node.at] = entry.time
      var node = entry.node
      while !isTouched[node.at] {
        touch(node)
        node = tree.parent(of: node)
      }
    }
    nodes.sort { $0.index < $1.index }
    for node in nodes.reversed() where node != PathTree.root {
      inclusiveTimes[tree.parent(of: node).at] += inclusiveTimes[node.at]
    }
  }

  /// The same, with the nodes in any order. O(touched · depth), and without sorting.
  mutating func loadUnsorted(_ row: ArraySlice<FramePartition.Entry>, of tree: PathTree) {
    guard tree.greatestDepth <= Self.shallow else {
      load(row, of: tree)
      return
    }
    forget()
    touch(PathTree.root)
    for entry in row where entry.node != PathTree.waitingLoop {
      take(entry)
      var node = entry.node
      while node != PathTree.root {
        if !isTouched[node.at] { touch(node) }
        inclusiveTimes[node.at] += entry.time
        node = tree.parent(of: node)
      }
      inclusiveTimes[0] += entry.time
    }
  }

  /// In a tree of at most this depth it costs less to go up from each node than to sort them.
  private static let shallow = 32

  private mutating func forget() {
    for node in nodes {
      selfTimes[node.at] = 0
      inclusiveTimes[node.at] = 0
      callCounts[node.at] = 0
      isTouched[node.at] = false
    }
    nodes.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ entry: FramePartition.Entry) {
    selfTimes[entry.node.at] = entry.time
    callCounts[entry.node.at] = entry.calls
  }

  private mutating func touch(_ node: PathTree.Node) {
    isTouched[node.at] = true
    nodes.append(node)
  }
}
