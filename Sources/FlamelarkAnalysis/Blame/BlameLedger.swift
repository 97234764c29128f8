internal import FlamelarkTrace

/// Blames the hitches of one series: divides each, names the causes, writes them down.
struct BlameLedger {
  private let trace: Trace
  let judged: JudgedFrames
  let partition: FramePartition
  let strata: FrameStrata
  /// The parts of all hitches.
  private var parts: [ExcessSplit.Part] = []
  private var hitches: [Int: HitchParts] = [:]
  private var blame: BlameTree

  /// One hitch as it was divided.
  struct Line {
    var frame: Int
    var causes: [Cause]
    /// The definition of each cause.
    var definitions: [Int]
    /// Its own frame and those before it, each with what it bears.
    var parts: HitchParts
    /// By how many standard deviations of good frames the first cause is above normal.
    var deviations: Double?
  }

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
          baseline.add(row, carry: partition.carry(of: frame))
        }
      }
      for frame in hitches {
        row.load(partition.row(of: frame), of: partition.tree)
        body(frame, row, baseline)
      }
    }
  }

  private mutating func divideAll() {
    let tree = partition.tree
    var split = LatenessSplit(partition, of: judged)
    var parts: [ExcessSplit.Part] = []
    var hitches: [Int: HitchParts] = [:]
    var blame = blame
    forEachHitch(where: { _ in true }) { frame, row, baseline in
      var hitch = HitchParts()
      (hitch.backlog, hitch.excess) = split.divide(frame, row: row, baseline: baseline) {
        bearer, row, split in
        let first = parts.count
        parts += split.parts
        hitch.groups.append(
          HitchParts.Group(
            frame: bearer, parts: first..<parts.count, blame: split.blame(of: PathTree.root)))
        blame.add(split, row: row, baseline: baseline, tree: tree)
      }
      let sum = hitch.groups.reduce(hitch.backlog) { $0 + $1.blame }
      Law.causesAddUp.check(
        sum == judged.frames[frame].lateness, frame: judged.frames[frame].number,
        "\(sum) of \(judged.frames[frame].lateness) ns")
      hitches[frame] = hitch
    }
    self.blame = blame
    self.parts = parts
    self.hitches = hitches
  }

  /// The causes of the wanted hitches, by frame, and their figures over all of them.
  func causes(where isWanted: (Int) -> Bool) -> (
    lines: [Line], entries: CauseEntries, cut: NamedCut
  ) {
    let cut = NamedCut(of: blame, tree: partition.tree, names: trace.names) {
      partition.walk.roleName(of: $0)
    }
    let late = strata.groups.flatMap(\.late).filter(isWanted).sorted()
    var entries = CauseEntries(cut: cut, facts: facts(of: cut, in: late))
    var earlier = InclusiveRow(nodeCount: partition.tree.count)
    var lines: [Line] = []
    forEachHitch(where: isWanted) { frame, row, baseline in
      let hitch = hitches[frame] ?? HitchParts()
      for group in hitch.groups {
        if group.frame == frame {
          entries.add(parts[group.parts], row: row, baseline: baseline)
        } else {
          earlier.load(partition.row(of: group.frame), of: partition.tree)
          entries.add(parts[group.parts], row: earlier, baseline: baseline)
        }
      }
      entries.add(backlog: hitch.backlog)
      let (causes, definitions) = entries.endHitch()
      let deviations = definitions.first.flatMap {
        self.deviations(of: cut.definitions[$0].node, row, baseline)
      }
      lines.append(
        Line(
          frame: frame, causes: causes, definitions: definitions, parts: hitch,
          deviations: deviations))
    }
    lines.sort { $0.frame < $1.frame }
    return (lines, entries, cut)
  }

  private func deviations(
    of node: PathTree.Node, _ row: InclusiveRow, _ baseline: Baseline
  ) -> Double? {
    let deviation = baseline.deviation(of: node)
    guard node != PathTree.root, deviation > 0 else { return nil }
    return (Double(row.time(of: node)) - baseline.time(of: node)) / deviation
  }

  /// What late frames say of each cause beyond its figures.
  private func facts(of cut: NamedCut, in late: [Int]) -> CauseEntries.Facts {
    var sites: [NameID: [Int]] = [:]
    for (index, site) in trace.callSites.enumerated() where site.file != nil {
      sites[site.name, default: []].append(index)
    }
    let tree = partition.tree
    let isUnclear = cut.definitions.map { definition in
      tree.isPath(definition.node) && (sites[tree.name(of: definition.node)]?.count ?? 0) > 1
    }
    var walk = partition.walk
    var facts = CauseFacts(of: cut, isUnclear: isUnclear, nodes: walk.nodes, in: trace)
    for frame in late {
      facts.window = judged.frames[frame].window
      walk.walk(frame, of: judged, &facts)
    }
    let greatest = facts.greatestSites()
    let places = cut.definitions.indices.map { index -> CauseEntries.Place? in
      let node = cut.definitions[index].node
      guard tree.isPath(node) else { return nil }
      let first = sites[tree.name(of: node)]?.first
      guard let site = greatest[index] ?? first, let file = trace.callSites[site].file else {
        return nil
      }
      return (trace.names[file], trace.callSites[site].line)
    }
    return CauseEntries.Facts(
      places: places, links: facts.greatestLinks(), gaps: facts.greatestGaps())
  }
}
