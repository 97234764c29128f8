/// The lateness of all hitches on the tree of paths, with what the late frames did there.
struct BlameTree {
  /// Late and normal frames compared at a node, summed over the hitches in which it bears lateness.
  struct Comparison {
    var hitches = 0
    var lateTime = 0.0
    var lateCalls = 0.0
    var normalTime = 0.0
    var normalCalls = 0.0

    /// It never occurs in good frames.
    var isNew: Bool { normalTime == 0 && normalCalls == 0 }

    /// Its excess comes mostly from more calls, not from slower ones.
    ///
    /// With n calls at c each against n̄ at c̄, exact and symmetric:
    /// Δ = (n − n̄)(c + c̄)/2 + (c − c̄)(n + n̄)/2.
    var isCountDriven: Bool {
      guard lateCalls > 0, normalCalls > 0 else { return false }
      let late = lateTime / lateCalls
      let normal = normalTime / normalCalls
      let byCount = (lateCalls - normalCalls) * (late + normal) / 2
      let byCost = (late - normal) * (lateCalls + normalCalls) / 2
      return byCount > 0 && byCount > byCost
    }
  }

  /// What each node bears itself.
  private(set) var own: [Int64]
  private(set) var comparisons: [Comparison]
  /// Of what each node bears with all below it, that of hitches in which one part had most of it.
  private var led: [Int64]
  private var borne: [Int64]
  /// The greatest part of each node in the hitch that is taken in; 0 between two.
  private var greatest: [Int64]

  /// A part that has at least this much of what a node bears stands for it: in percent.
  private static let leadingShare: Int64 = 70

  init(nodeCount: Int) {
    own = Array(repeating: 0, count: nodeCount)
    comparisons = Array(repeating: Comparison(), count: nodeCount)
    led = own
    borne = own
    greatest = own
  }

  /// Whether what a node bears is mostly that of several of its parts together: then it is its name
  /// that says it.
  func isShared(_ node: PathTree.Node) -> Bool { led[node.at] * 2 < borne[node.at] }

  /// Takes in what a frame bears of a hitch.
  mutating func add(
    _ split: ExcessSplit, row: InclusiveRow, baseline: Baseline, tree: PathTree
  ) {
    for part in split.parts {
      own[part.node.at] += part.blame
      greatest[part.node.at] = max(greatest[part.node.at], part.blame)
    }
    for node in row.nodes.reversed() {
      let blame = split.blame(of: node)
      guard blame > 0 else { continue }
      borne[node.at] += blame
      if greatest[node.at] * 100 >= blame * Self.leadingShare { led[node.at] += blame }
      greatest[node.at] = 0
      if node != PathTree.root {
        let parent = tree.parent(of: node)
        greatest[parent.at] = max(greatest[parent.at], blame)
      }
      comparisons[node.at].hitches += 1
      comparisons[node.at].lateTime += Double(row.time(of: node))
      comparisons[node.at].lateCalls += Double(row.calls(of: node))
      comparisons[node.at].normalTime += baseline.time(of: node)
      comparisons[node.at].normalCalls += baseline.calls(of: node)
    }
  }
}
