internal import FlamelarkTrace

/// Divides the lateness of a hitch between its own frame and the earlier ones that it waited for.
///
/// Lateness that was inherited from what was shown before is charged to that frame already. Of the
/// rest, the frame's own excess and the time that it lost to earlier frames beyond the usual bear
/// their parts in proportion, or, where it inherited, its own excess first. What falls to the frame
/// before is divided in the same way, at most six frames back. What is left then is backlog: the
/// pipeline was too full, and nobody took too long.
struct LatenessSplit {
  private static let mostFrames = 6

  private let partition: FramePartition
  private let judged: JudgedFrames
  private(set) var split: ExcessSplit
  private var earlierRow: InclusiveRow

  init(_ partition: FramePartition, of judged: JudgedFrames) {
    self.partition = partition
    self.judged = judged
    split = ExcessSplit(nodeCount: partition.tree.count)
    earlierRow = InclusiveRow(nodeCount: partition.tree.count)
  }

  /// Divides a hitch. `collect` gets each frame that bears some of it, with its row and its parts.
  mutating func divide(
    _ frame: Int, row: InclusiveRow, baseline: Baseline,
    _ collect: (Int, InclusiveRow, ExcessSplit) -> Void
  ) -> (backlog: Int64, excess: Double) {
    let verdict = judged.frames[frame]
    let scale = baseline.scale(forBudget: verdict.budget)
    let own = excess(of: row, baseline, scale)
    let carry = max(
      0, Double(partition.carry(of: frame)) - scale * baseline.carry - Double(verdict.inherited))
    let isPresented = judged.series.mode == .presented
    var amount = verdict.lateness
    if verdict.inherited > 0 {
      amount = min(amount, Int64(own))
    } else if carry > 0 {
      amount = Self.part(amount, own, of: own + carry)
    } else if own < 1, isPresented, partition.carry(of: frame) > 0 {
      amount = 0
    }
    // Nothing earlier to bear it.
    if verdict.lateness > amount, carry == 0, own >= 1 || !isPresented {
      amount = verdict.lateness
    }
    if amount > 0 {
      share(amount, frame, row, baseline, scale, collect)
    }
    var rest = verdict.lateness - amount
    var index = frame - verdict.placesBack - 1
    while rest > 0, index >= 0, frame - index <= Self.mostFrames {
      guard judged.frames[index].isActive else { break }
      earlierRow.load(partition.row(of: index), of: partition.tree)
      let scale = baseline.scale(forBudget: judged.frames[index].budget)
      let own = excess(of: earlierRow, baseline, scale)
      let carry = max(0, Double(partition.carry(of: index)) - scale * baseline.carry)
      guard own + carry >= 1 else { break }
      let amount = Self.part(rest, own, of: own + carry)
      if amount > 0 { share(amount, index, earlierRow, baseline, scale, collect) }
      rest -= amount
      if carry == 0 { break }
      index -= judged.frames[index].placesBack + 1
    }
    return (rest, own)
  }

  private mutating func share(
    _ amount: Int64, _ frame: Int, _ row: InclusiveRow, _ baseline: Baseline, _ scale: Double,
    _ collect: (Int, InclusiveRow, ExcessSplit) -> Void
  ) {
    split.divide(
      amount, scale: scale, row: row, baseline: baseline, tree: partition.tree,
      frame: judged.frames[frame].number)
    collect(frame, row, split)
    split.clear(row)
  }

  private func excess(of row: InclusiveRow, _ baseline: Baseline, _ scale: Double) -> Double {
    max(0, Double(row.time(of: PathTree.root)) - scale * baseline.time(of: PathTree.root))
  }

  /// A proportion of an amount, to the nearest nanosecond.
  private static func part(_ amount: Int64, _ share: Double, of whole: Double) -> Int64 {
    min(amount, Int64((Double(amount) * (share / whole)).rounded()))
  }
}
