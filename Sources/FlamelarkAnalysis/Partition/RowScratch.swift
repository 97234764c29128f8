/// The time of one frame while it is being added up, by node of the tree.
struct RowScratch {
  private var time: [Int64] = []
  private var calls: [UInt32] = []
  /// The nodes that have time or calls.
  private var touched: [PathTree.Node] = []

  /// Adds time to a node.
  mutating func add(time added: Int64, to node: PathTree.Node) {
    touch(node)
    time[node.at] += added
  }

  /// Counts a call of a node.
  mutating func addCall(to node: PathTree.Node) {
    touch(node)
    calls[node.at] &+= 1
  }

  private mutating func touch(_ node: PathTree.Node) {
    if node.at >= time.count {
      let missing = max(64, node.at + 1 - time.count, time.count / 2)
      time.append(contentsOf: repeatElement(0, count: missing))
      calls.append(contentsOf: repeatElement(0, count: missing))
    }
    if time[node.at] == 0 && calls[node.at] == 0 { touched.append(node) }
  }

  /// Moves what was added behind `entries`, by node, and forgets it.
  mutating func flush(into entries: inout [FramePartition.Entry]) {
    touched.sort()
    var last: PathTree.Node?
    for node in touched where node != last {
      last = node
      // A span that began in an earlier frame and runs on is a call of this one too.
      let calls = time[node.at] > 0 ? max(1, calls[node.at]) : calls[node.at]
      entries.append(FramePartition.Entry(node: node, calls: calls, time: time[node.at]))
      time[node.at] = 0
      self.calls[node.at] = 0
    }
    touched.removeAll(keepingCapacity: true)
  }
}
