/// What is normal for each phase of a pipeline.
struct PhaseBaselines {
  private(set) var byPosition: [Baseline]
  /// Another number each time that other frames are taken in.
  private(set) var stamp = 0

  init(nodeCount: Int, positionCount: Int) {
    byPosition = Array(repeating: Baseline(nodeCount: nodeCount), count: positionCount)
  }

  subscript(position: Int) -> Baseline { byPosition[position] }

  mutating func clear() {
    stamp += 1
    for position in byPosition.indices { byPosition[position].clear() }
  }

  /// Takes in a phase of a good frame.
  mutating func add(_ row: InclusiveRow, at position: Int) { byPosition[position].add(row) }

  /// By what normal is scaled down where it doesn't fit into what a frame may take: then what is asked
  /// is what keeps it from fitting.
  func scale(forBudget budget: Int64) -> Double {
    let normal = byPosition.reduce(0) { $0 + $1.time(of: PathTree.root) }
    return normal > 0 ? min(1, Double(budget) / normal) : 1
  }
}
