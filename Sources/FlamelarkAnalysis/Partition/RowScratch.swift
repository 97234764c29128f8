/// The time of one frame while it is being added up, by node of the tree.
struct RowScratch {
  private struct Sum {
    var time: Int64 = 0
    var calls: UInt32 = 0
    /// It is among ``touched``.
    var isTouched = false
  }

  private var sums: [Sum] = []
  /// The nodes that have time or calls.
  private var touched: [PathTree.Node] = []

  /// Adds time to a node.
  @inline(__always)
  mutating func add(time added: Int64, to node: PathTree.Node) {
    touch(node)
    sums[node.at].time += added
  }

  /// The time of a node so far.
  func time(of node: PathTree.Node) -> Int64 { node.at < sums.count ? sums[node.at].time : 0 }

  /// Counts calls of a node.
  @inline(__always)
  mutating func addCalls(_ count: UInt32, to node: PathTree.Node) {
    touch(node)
    let (sum, overflow) = sums[node.at].calls.addingReportingOverflow(count)
    sums[node.at].calls = overflow ? .max : sum
  }

  @inline(__always)
  private mutating func touch(_ node: PathTree.Node) {
    if node.at >= sums.count { grow(to: node.at + 1) }
    guard !sums[node.at].isTouched else { return }
    sums[node.at].isTouched = true
    touched.append(node)
  }

  private mutating func grow(to count: Int) {
    let missing = max(64, count - sums.count, sums.count / 2)
    sums.append(contentsOf: repeatElement(Sum(), count: missing))
  }

  /// Moves what was added behind `entries`, by node, and forgets it.
  mutating func flush(into entries: inout [FramePartition.Entry]) {
    touched.sort { $0.index < $1.index }
    for node in touched {
      let sum = sums[node.at]
      sums[node.at] = Sum()
      // All its time was given to left-out spans.
      if sum.time == 0 && sum.calls == 0 { continue }
      // A span that began in an earlier frame and runs on is a call of this one too.
      let calls = sum.time > 0 ? max(1, sum.calls) : sum.calls
      entries.append(FramePartition.Entry(node: node, calls: calls, time: sum.time))
    }
    touched.removeAll(keepingCapacity: true)
  }
}
