/// Divides lateness among what took longer than normal in a frame, from the top down.
///
/// With x the excess of a part over its mean in good frames and a lateness of max(0, Σx − slack),
/// the Aumann–Shapley value of a part is its excess in proportion. So a node hands what it bears to
/// its parts in proportion to theirs; a part whose excess is within the noise of good frames gets
/// nothing. A node that bears lateness while no part of it stands out keeps it.
struct ExcessSplit {
  /// An excess must be over this many standard deviations of good frames.
  static let noiseGate = 1.0

  /// Lateness that a node bears itself. The root and what is above all spans stand for `other`.
  struct Part {
    var node: PathTree.Node
    var blame: Int64
  }

  /// The last frame's parts, by node. They add up to what was divided.
  private(set) var parts: [Part] = []
  /// What each node and all below it bear, as long as the frame is the last one.
  private var borne: [Int64]
  private var firstChild: [UInt32]
  private var nextSibling: [UInt32]
  /// What parts add up to at each node, while that is checked; else 0.
  private var sums: [Int64]
  private var apportionment = Apportionment()
  private var candidates: [PathTree.Node?] = []
  private var excesses: [Double] = []
  private static let none = UInt32.max

  init(nodeCount: Int) {
    borne = Array(repeating: 0, count: nodeCount)
    sums = borne
    firstChild = Array(repeating: Self.none, count: nodeCount)
    nextSibling = firstChild
  }

  /// What a node and all below it bear.
  func blame(of node: PathTree.Node) -> Int64 { borne[node.at] }

  /// Forgets the last frame, whose row this is.
  mutating func clear(_ row: InclusiveRow) {
    for node in row.nodes {
      borne[node.at] = 0
      firstChild[node.at] = Self.none
    }
    parts.removeAll(keepingCapacity: true)
  }

  /// Divides an amount of lateness among the parts of a frame. `scale` is that of what is normal.
  /// O(touched nodes).
  mutating func divide(
    _ amount: Int64, scale: Double, row: InclusiveRow, baseline: Baseline, tree: PathTree,
    frame: Int
  ) {
    for node in row.nodes.reversed() where node != PathTree.root {
      let parent = tree.parent(of: node)
      nextSibling[node.at] = firstChild[parent.at]
      firstChild[parent.at] = node.index
    }
    borne[PathTree.root.at] = amount
    for node in row.nodes where borne[node.at] > 0 {
      divide(node, scale: scale, row: row, baseline: baseline)
    }
    let sum = parts.reduce(0) { $0 + $1.blame }
    Law.causesAddUp.check(sum == amount, frame: frame, "\(sum) of \(amount) ns")
    checkLaws(scale: scale, row: row, baseline: baseline, tree: tree, frame: frame)
  }

  /// Holds what was divided against the row and against the parts themselves. O(touched nodes).
  private mutating func checkLaws(
    scale: Double, row: InclusiveRow, baseline: Baseline, tree: PathTree, frame: Int
  ) {
    for part in parts { sums[part.node.at] += part.blame }
    for node in row.nodes.reversed() {
      let (sum, blame) = (sums[node.at], borne[node.at])
      sums[node.at] = 0
      Law.splittingChangesNothing.check(
        sum == blame, frame: frame, "parts of \(sum) ns in a place that bears \(blame) ns")
      guard node != PathTree.root else { continue }
      sums[tree.parent(of: node).at] += sum
      let excess = Double(row.time(of: node)) - scale * baseline.time(of: node)
      Law.normalBearsNothing.check(
        blame == 0 || excess > 0, frame: frame, "\(blame) ns for \(excess) ns above normal")
    }
  }

  private mutating func divide(
    _ node: PathTree.Node, scale: Double, row: InclusiveRow, baseline: Baseline
  ) {
    candidates.removeAll(keepingCapacity: true)
    excesses.removeAll(keepingCapacity: true)
    let own = Double(row.selfTime(of: node)) - scale * baseline.selfTime(of: node)
    if Self.standsOut(own, deviation: baseline.selfDeviation(of: node)) {
      candidates.append(nil)
      excesses.append(own)
    }
    var next = firstChild[node.at]
    while next != Self.none {
      let child = PathTree.Node(index: next)
      let excess = Double(row.time(of: child)) - scale * baseline.time(of: child)
      if Self.standsOut(excess, deviation: baseline.deviation(of: child)) {
        candidates.append(child)
        excesses.append(excess)
      }
      next = nextSibling[child.at]
    }
    guard !candidates.isEmpty else {
      parts.append(Part(node: node, blame: borne[node.at]))
      return
    }
    apportionment.divide(borne[node.at], by: excesses)
    for (index, share) in apportionment.shares.enumerated() where share > 0 {
      if let child = candidates[index] {
        borne[child.at] = share
      } else {
        parts.append(Part(node: node, blame: share))
      }
    }
  }

  private static func standsOut(_ excess: Double, deviation: Double) -> Bool {
    excess >= 1 && excess > noiseGate * deviation
  }
}
