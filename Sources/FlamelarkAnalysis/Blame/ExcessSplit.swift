/// Divides the lateness of a frame among what took longer than normal, from the top down.
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

  /// The last frame's parts, by node. They add up to its lateness.
  private(set) var parts: [Part] = []
  /// What each node and all below it bear, as long as the frame is the last one.
  private var borne: [Int64]
  private var firstChild: [UInt32]
  private var nextSibling: [UInt32]
  private var apportionment = Apportionment()
  private static let none = UInt32.max

  init(nodeCount: Int) {
    borne = Array(repeating: 0, count: nodeCount)
    firstChild = Array(repeating: Self.none, count: nodeCount)
    nextSibling = firstChild
  }

  /// What a node and all below it bear of the last frame's lateness.
  func blame(of node: PathTree.Node) -> Int64 { borne[node.at] }

  /// Forgets the last frame, whose row this is.
  mutating func clear(_ row: InclusiveRow) {
    for node in row.nodes {
      borne[node.at] = 0
      firstChild[node.at] = Self.none
    }
    parts.removeAll(keepingCapacity: true)
  }

  /// Divides a lateness. O(touched nodes).
  mutating func divide(
    _ lateness: Int64, budget: Int64, row: InclusiveRow, baseline: Baseline, tree: PathTree
  ) {
    // Where normal doesn't fit into the budget, what is asked is what keeps it from fitting.
    let normal = baseline.time(of: PathTree.root)
    let scale = normal > 0 ? min(1, Double(budget) / normal) : 1
    for node in row.nodes.reversed() where node != PathTree.root {
      let parent = tree.parent(of: node)
      nextSibling[node.at] = firstChild[parent.at]
      firstChild[parent.at] = node.index
    }
    borne[PathTree.root.at] = lateness
    var candidates: [PathTree.Node?] = []
    var excesses: [Double] = []
    for node in row.nodes where borne[node.at] > 0 {
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
        continue
      }
      apportionment.divide(borne[node.at], by: excesses)
      for (candidate, share) in zip(candidates, apportionment.shares) where share > 0 {
        if let child = candidate {
          borne[child.at] = share
        } else {
          parts.append(Part(node: node, blame: share))
        }
      }
    }
    // Law 2: nothing is lost and nothing is made up.
    precondition(
      parts.reduce(0) { $0 + $1.blame } == lateness, "the causes of a hitch don't add up to it")
  }

  private static func standsOut(_ excess: Double, deviation: Double) -> Bool {
    excess >= 1 && excess > noiseGate * deviation
  }
}
