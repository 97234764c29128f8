internal import FlamelarkTrace

/// Divides the lateness of a hitch between its own frame and the earlier ones that it waited for.
///
/// With x the excess of the frame's own work over normal, and c the time that it lost to earlier frames
/// beyond the usual and beyond ι, what the frame before it was late by anyway, the lateness h of a frame
/// grows with all of them until the frame before it is late itself; from there on what is lost to that
/// one makes both late, and only x makes this one later. Let everything above normal grow from nothing
/// to what it was, τ from 0 to 1. The frame before is late from τ₁ = 1 − ι / X on, X being all of its
/// excess. Until then h grew to h₁ = max(0, h − (1 − τ₁) x), of which the earlier frames bear
///
///     h₁ · c / (c + τ₁ x)
///
/// and the frame itself the rest: the Aumann–Shapley value along that way. Where nothing was inherited
/// it is h · c / (c + x). What falls to the frame before is divided in the same way, at most six frames
/// back. What is left then is backlog: the pipeline was too full, and nobody took too long.
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

  /// What a frame took over normal, by itself and waiting for earlier ones: nanoseconds, not below 0.
  private struct Excess {
    var own: Double
    var carry: Double
    var scale: Double
    var sum: Double { own + carry }
  }

  /// Divides a hitch. `collect` gets each frame that bears some of it, with its row and its parts.
  mutating func divide(
    _ frame: Int, row: InclusiveRow, baseline: Baseline,
    _ collect: (Int, InclusiveRow, ExcessSplit) -> Void
  ) -> (backlog: Int64, excess: Double) {
    let lateness = judged.frames[frame].lateness
    let inherited = Double(judged.frames[frame].inherited)
    let excess = excess(of: frame, row, baseline, inherited: inherited)
    let earlier = earlierPart(of: frame, excess, baseline)
    if lateness > earlier {
      share(lateness - earlier, frame, row, baseline, excess.scale, collect)
    }
    var rest = earlier
    var index = before(frame)
    while rest > 0, index >= 0, frame - index <= Self.mostFrames {
      guard judged.frames[index].isActive else { break }
      earlierRow.load(partition.row(of: index), of: partition.tree)
      let excess = self.excess(of: index, earlierRow, baseline, inherited: 0)
      guard excess.sum >= 1 else { break }
      let amount = Self.part(rest, excess.own, of: excess.sum)
      if amount > 0 { share(amount, index, earlierRow, baseline, excess.scale, collect) }
      rest -= amount
      if excess.carry == 0 { break }
      index = before(index)
    }
    return (rest, excess.own)
  }

  /// What of a hitch earlier frames bear.
  private mutating func earlierPart(
    of frame: Int, _ excess: Excess, _ baseline: Baseline
  ) -> Int64 {
    let lateness = judged.frames[frame].lateness
    guard excess.carry > 0 else { return 0 }
    let inherited = Double(judged.frames[frame].inherited)
    var grown = 1.0
    if inherited > 0 {
      grown = 0
      let index = before(frame)
      if index >= 0, judged.frames[index].isActive {
        earlierRow.load(partition.row(of: index), of: partition.tree)
        let all = self.excess(of: index, earlierRow, baseline, inherited: 0).sum
        if all > inherited { grown = 1 - inherited / all }
      }
    }
    let shared = max(0, Double(lateness) - (1 - grown) * excess.own)
    return min(lateness, Int64((shared * excess.carry / (excess.carry + grown * excess.own)).rounded()))
  }

  /// The frame whose time was spent before a frame's.
  private func before(_ frame: Int) -> Int { frame - judged.frames[frame].placesBack - 1 }

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

  private func excess(
    of frame: Int, _ row: InclusiveRow, _ baseline: Baseline, inherited: Double
  ) -> Excess {
    let scale = baseline.scale(forBudget: judged.frames[frame].budget)
    let root = PathTree.root
    let own = max(0, Double(row.time(of: root)) - scale * baseline.time(of: root))
    let carry = max(
      0,
      Double(partition.carry(of: frame)) - scale * baseline.carry - inherited)
    // What is within the noise of good frames is no reason where there is another.
    let isNoise = own <= ExcessSplit.noiseGate * baseline.deviation(of: root)
    return Excess(own: isNoise && carry > 0 ? 0 : own, carry: carry, scale: scale)
  }

  /// A proportion of an amount, to the nearest nanosecond.
  private static func part(_ amount: Int64, _ share: Double, of whole: Double) -> Int64 {
    min(amount, Int64((Double(amount) * (share / whole)).rounded()))
  }
}
