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

  /// The time of a node so far.
  func time(of node: PathTree.Node) -> Int64 { node.at < time.count ? time[node.at] : 0 }

  /// Counts calls of a node.
  mutating func addCalls(_ count: UInt32, to node: PathTree.Node) {
    touch(node)
    let (sum, overflow) = calls[node.at].addingReportingOverflow(count)
    calls[node.at] = overflow ? .max : sum
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
      // All its time was given to left-out spans.
      if time[node.at] == 0 && calls[node.at] == 0 { continue }
      // A span that began in an earlier frame and runs on is a call of this one too.
      let calls = time[node.at] > 0 ? max(1, calls[node.at]) : calls[node.at]
      entries.append(FramePartition.Entry(node: node, calls: calls, time: time[node.at]))
      time[node.at] = 0
      self.calls[node.at] = 0
    }
    touched.removeAll(keepingCapacity: true)
  }
}
