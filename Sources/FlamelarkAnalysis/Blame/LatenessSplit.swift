/// Divides the lateness of a hitch between the phases of its own frame and of the earlier ones that it
/// waited for, and what a phase bears among its parts.
///
/// What no excess explains is backlog where earlier frames still ran: the pipeline was too full, and
/// nobody took too long. Else it is other variation.
struct LatenessSplit {
  private let partition: FramePartition
  private let judged: JudgedFrames
  private var model: PipelineModel
  private var split: ExcessSplit
  private var row: InclusiveRow
  private var apportionment = Apportionment()

  init(_ partition: FramePartition, of judged: JudgedFrames) {
    self.partition = partition
    self.judged = judged
    model = PipelineModel(display: partition.display)
    split = ExcessSplit(nodeCount: partition.tree.count)
    row = InclusiveRow(nodeCount: partition.tree.count)
  }

  /// Divides a hitch. `collect` gets each phase that bears some of it, with its row and its parts.
  mutating func divide(
    _ frame: Int, baselines: PhaseBaselines,
    _ collect: (FramePhase, InclusiveRow, ExcessSplit) -> Void
  ) -> (backlog: Int64, other: Int64) {
    let lateness = judged.frames[frame].lateness
    guard judged.series.isPipeline else {
      let only = partition.phases.phases(of: frame).lowerBound
      share(lateness, FramePhase(frame: frame, number: only), baselines, collect)
      return (0, 0)
    }
    let (partition, frames) = (partition, judged.frames)
    model.load(frame, of: judged, partition.phases) { frame, phase in
      partition.excess(ofPhase: phase, budget: frames[frame].budget, over: baselines, gated: true)
    }
    if model.phases.allSatisfy({ $0.excess == 0 }) {
      model.replaceExcesses { frame, phase in
        partition.excess(
          ofPhase: phase, budget: frames[frame].budget, over: baselines, gated: false)
      }
    }
    let (shares, rest) = model.shares()
    let weights = shares + [rest]
    guard weights.contains(where: { $0 > 0 }) else {
      return model.hasEarlierFrames ? (lateness, 0) : (0, lateness)
    }
    // Only what has a share takes part in the rounding.
    let bearers = weights.indices.filter { weights[$0] > 0 }
    apportionment.divide(lateness, by: bearers.map { weights[$0] })
    var left: Int64 = 0
    for (bearer, amount) in zip(bearers, apportionment.shares) where amount > 0 {
      if bearer == shares.count {
        left = amount
      } else {
        let phase = model.phases[bearer]
        share(amount, FramePhase(frame: phase.frame, number: phase.number), baselines, collect)
      }
    }
    return model.hasEarlierFrames ? (left, 0) : (0, left)
  }

  private mutating func share(
    _ amount: Int64, _ phase: FramePhase, _ baselines: PhaseBaselines,
    _ collect: (FramePhase, InclusiveRow, ExcessSplit) -> Void
  ) {
    row.load(partition.row(ofPhase: phase.number), of: partition.tree)
    split.divide(
      amount, scale: baselines.scale(forBudget: judged.frames[phase.frame].budget), row: row,
      baseline: baselines[partition.phases[phase.number].position], tree: partition.tree,
      frame: judged.frames[phase.frame].number)
    collect(phase, row, split)
    split.clear(row)
  }
}

extension FramePartition {
  /// What a phase took over normal; if `gated`, 0 within the noise of good frames.
  fileprivate func excess(
    ofPhase number: Int, budget: Int64, over baselines: PhaseBaselines, gated: Bool
  ) -> Double {
    let baseline = baselines[phases[number].position]
    let normal = baselines.scale(forBudget: budget) * baseline.time(of: PathTree.root)
    let noise = gated ? ExcessSplit.noiseGate * baseline.deviation(of: PathTree.root) : 0
    let excess = Double(busyTime(ofPhase: number)) - normal
    return excess > noise ? excess : 0
  }
}

/// A phase of a frame.
struct FramePhase: Hashable {
  /// The index of the frame.
  var frame: Int
  /// Its number among all phases.
  var number: Int
}
