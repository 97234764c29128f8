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
  private var apportionment = Apportionment()
  private var candidates: [PathTree.Node?] = []
  private var excesses: [Double] = []
  private static let none = UInt32.max

  init(nodeCount: Int) {
    borne = Array(repeating: 0, count: nodeCount)
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
      divide(node, scale: scale, row: row, baseline: baseline, frame: frame)
    }
    Law.causesAddUp.check(
      parts.reduce(0) { $0 + $1.blame } == amount, frame: frame,
      "\(parts.reduce(0) { $0 + $1.blame }) of \(amount) ns")
  }

  private mutating func divide(
    _ node: PathTree.Node, scale: Double, row: InclusiveRow, baseline: Baseline, frame: Int
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
    var handed: Int64 = 0
    for (index, share) in apportionment.shares.enumerated() where share > 0 {
      handed += share
      Law.normalBearsNothing.check(
        excesses[index] > 0, frame: frame, "\(share) ns for \(excesses[index]) ns above normal")
      if let child = candidates[index] {
        borne[child.at] = share
      } else {
        parts.append(Part(node: node, blame: share))
      }
    }
    Law.splittingChangesNothing.check(
      handed == borne[node.at], frame: frame, "\(handed) of \(borne[node.at]) ns")
  }

  private static func standsOut(_ excess: Double, deviation: Double) -> Bool {
    excess >= 1 && excess > noiseGate * deviation
  }
}
