internal import FlamelarkTrace

/// Blames the hitches of one series: divides each, names the causes, writes them down.
struct BlameLedger {
  private let trace: Trace
  private let judged: JudgedFrames
  private let partition: FramePartition
  let strata: FrameStrata
  /// The parts of each hitch, by frame.
  private var parts: [ExcessSplit.Part] = []
  private var partsOfFrame: [Int: Range<Int>] = [:]
  private var blame: BlameTree

  /// The causes of one hitch.
  typealias Line = (frame: Int, causes: [Cause])

  init(of judged: JudgedFrames, in trace: Trace) {
    self.trace = trace
    self.judged = judged
    partition = FramePartition(of: judged, in: trace)
    strata = FrameStrata(of: judged)
    blame = BlameTree(nodeCount: partition.tree.count)
    divideAll()
  }

  /// What became of the time of left-out spans.
  var foldedTime: (placed: Int64, left: Int64) { partition.foldedTime }

  /// What good frames need: the time of each, ascending.
  func goodFrameTimes() -> [Int64] {
    strata.good.map { partition.busyTime(of: $0) }.sorted()
  }

  /// Calls `body` with each hitch, its row and what is normal for it.
  private func forEachHitch(
    where isWanted: (Int) -> Bool, _ body: (Int, InclusiveRow, Baseline) -> Void
  ) {
    var row = InclusiveRow(nodeCount: partition.tree.count)
    var baseline = Baseline(nodeCount: partition.tree.count)
    var loaded: FrameStrata.Source?
    // Groups that share the normal of the series stand together, so that it is made once.
    let order = strata.groups.indices.sorted {
      (strata.groups[$0].source.rawValue, $0) < (strata.groups[$1].source.rawValue, $1)
    }
    for group in order {
      let hitches = strata.groups[group].late.filter(isWanted)
      guard !hitches.isEmpty else { continue }
      let source = strata.groups[group].source
      if loaded != source || source == .own || source == .fastestOwn {
        loaded = source
        baseline.clear()
        for frame in strata.normalFrames(of: strata.groups[group], in: partition) {
          row.load(partition.row(of: frame), of: partition.tree)
          baseline.add(row)
        }
      }
      for frame in hitches {
        row.load(partition.row(of: frame), of: partition.tree)
        body(frame, row, baseline)
      }
    }
  }

  private mutating func divideAll() {
    var split = ExcessSplit(nodeCount: partition.tree.count)
    var parts: [ExcessSplit.Part] = []
    var partsOfFrame: [Int: Range<Int>] = [:]
    var blame = blame
    forEachHitch(where: { _ in true }) { frame, row, baseline in
      split.divide(
        judged.frames[frame].lateness, budget: judged.frames[frame].interval, row: row,
        baseline: baseline, tree: partition.tree)
      blame.add(split, row: row, baseline: baseline)
      partsOfFrame[frame] = parts.count..<parts.count + split.parts.count
      parts += split.parts
      split.clear(row)
    }
    self.blame = blame
    self.parts = parts
    self.partsOfFrame = partsOfFrame
  }

  /// The causes of the wanted hitches, by frame, and those of all of them together.
  func causes(where isWanted: (Int) -> Bool) -> (hitches: [Line], series: [Cause]) {
    let cut = NamedCut(of: blame, tree: partition.tree, names: trace.names)
    let late = strata.groups.flatMap(\.late).filter(isWanted)
    var entries = CauseEntries(cut: cut, places: places(of: cut, in: late))
    var lines: [Line] = []
    forEachHitch(where: isWanted) { frame, row, baseline in
      let parts = parts[partsOfFrame[frame] ?? 0..<0]
      lines.append((frame, entries.add(parts, row: row, baseline: baseline)))
    }
    lines.sort { $0.frame < $1.frame }
    return (lines, entries.seriesCauses())
  }

  /// Where each cause stands in the source: at the one place of its name, or at the one of several
  /// that took most time in late frames.
  private func places(of cut: NamedCut, in late: [Int]) -> [CauseEntries.Place?] {
    var sites: [NameID: [Int]] = [:]
    for (index, site) in trace.callSites.enumerated() where site.file != nil {
      sites[site.name, default: []].append(index)
    }
    let tree = partition.tree
    let unclear = cut.definitions.map(\.node).filter {
      tree.isPath($0) && (sites[tree.name(of: $0)]?.count ?? 0) > 1
    }
    let found = partition.callSites(of: Set(unclear), in: late, judged: judged, trace: trace)
    return cut.definitions.map { definition in
      guard tree.isPath(definition.node) else { return nil }
      let first = sites[tree.name(of: definition.node)]?.first
      guard let index = found[definition.node].map({ Int($0.index) }) ?? first,
        let file = trace.callSites[index].file
      else { return nil }
      return (trace.names[file], trace.callSites[index].line)
    }
  }
}
