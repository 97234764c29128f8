/// What is normal: the means of good frames.
///
/// Means and not medians, because means add up: the parts of a node are the node. A good frame is
/// not late, so one wild frame can't pull a mean far.
struct Baseline {
  private struct Moments {
    var sum = 0.0
    var squares = 0.0

    mutating func add(_ value: Double) {
      sum += value
      squares += value * value
    }
  }

  private(set) var frameCount = 0
  private var selfTimes: [Moments]
  private var times: [Moments]
  private var callSums: [Double]
  private var touched: [PathTree.Node] = []

  /// No frames yet, for the nodes of a tree.
  init(nodeCount: Int) {
    selfTimes = Array(repeating: Moments(), count: nodeCount)
    times = selfTimes
    callSums = Array(repeating: 0, count: nodeCount)
  }

  /// Forgets all frames.
  mutating func clear() {
    for node in touched {
      selfTimes[node.at] = Moments()
      times[node.at] = Moments()
      callSums[node.at] = 0
    }
    touched.removeAll(keepingCapacity: true)
    frameCount = 0
  }

  /// Takes in a good frame.
  mutating func add(_ row: InclusiveRow) {
    frameCount += 1
    for node in row.nodes {
      if times[node.at].sum == 0 && callSums[node.at] == 0 { touched.append(node) }
      selfTimes[node.at].add(Double(row.selfTime(of: node)))
      times[node.at].add(Double(row.time(of: node)))
      callSums[node.at] += Double(row.calls(of: node))
    }
  }

  /// The mean time of a node alone, in nanoseconds.
  func selfTime(of node: PathTree.Node) -> Double { mean(selfTimes[node.at].sum) }

  /// The mean time of a node and all below it, in nanoseconds.
  func time(of node: PathTree.Node) -> Double { mean(times[node.at].sum) }

  /// How often the span of a node begins, on average.
  func calls(of node: PathTree.Node) -> Double { mean(callSums[node.at]) }

  /// The standard deviation of ``selfTime(of:)``.
  func selfDeviation(of node: PathTree.Node) -> Double { deviation(selfTimes[node.at]) }

  /// The standard deviation of ``time(of:)``.
  func deviation(of node: PathTree.Node) -> Double { deviation(times[node.at]) }

  private func mean(_ sum: Double) -> Double { frameCount > 0 ? sum / Double(frameCount) : 0 }

  private func deviation(_ moments: Moments) -> Double {
    let mean = mean(moments.sum)
    return max(0, self.mean(moments.squares) - mean * mean).squareRoot()
  }
}
