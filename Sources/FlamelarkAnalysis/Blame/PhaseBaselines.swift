/// What is normal for each phase of a pipeline.
struct PhaseBaselines {
  private(set) var byPosition: [Baseline]
  /// Another number each time that other frames are taken in.
  private(set) var stamp = 0
  private var frameCount = 0

  init(nodeCount: Int, positionCount: Int) {
    byPosition = Array(repeating: Baseline(nodeCount: nodeCount), count: positionCount)
  }

  subscript(position: Int) -> Baseline { byPosition[position] }

  mutating func clear() {
    stamp += 1
    frameCount = 0
    for position in byPosition.indices { byPosition[position].clear() }
  }

  /// Begins with another good frame.
  mutating func beginFrame() { frameCount += 1 }

  /// Takes in a phase of the frame that was begun.
  mutating func add(_ row: InclusiveRow, at position: Int) { byPosition[position].add(row) }

  /// By what normal is scaled down where it doesn't fit into what a frame may take: then what is asked
  /// is what keeps it from fitting.
  func scale(forBudget budget: Int64) -> Double {
    // Not every frame has every phase, and some may have one several times.
    let sum = byPosition.reduce(0) {
      $0 + $1.time(of: PathTree.root) * Double($1.frameCount)
    }
    let normal = frameCount > 0 ? sum / Double(frameCount) : 0
    return normal > 0 ? min(1, Double(budget) / normal) : 1
  }
}
