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

  /// Calls `body` with each hitch and what is normal for it.
  private func forEachHitch(
    where isWanted: (Int) -> Bool, _ body: (Int, PhaseBaselines) -> Void
  ) {
    let phases = partition.phases
    var row = InclusiveRow(nodeCount: partition.tree.count)
    var baselines = PhaseBaselines(
      nodeCount: partition.tree.count, positionCount: phases.positionCount)
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
        baselines.clear()
        for frame in strata.normalFrames(of: strata.groups[group], in: partition) {
          for phase in phases.phases(of: frame) {
            row.load(partition.row(ofPhase: phase), of: partition.tree)
            baselines.add(row, at: phases[phase].position)
          }
        }
      }
      for frame in hitches { body(frame, baselines) }
    }
  }

  private mutating func divideAll() {
    let tree = partition.tree
    var split = LatenessSplit(partition, of: judged)
    var parts: [ExcessSplit.Part] = []
    var hitches: [Int: HitchParts] = [:]
    var blame = blame
    forEachHitch(where: { _ in true }) { frame, baselines in
      var hitch = HitchParts()
      (hitch.backlog, hitch.other) = split.divide(frame, baselines: baselines) {
        phase, row, split in
        let first = parts.count
        parts += split.parts
        hitch.groups.append(
          HitchParts.Group(
            phase: phase, parts: first..<parts.count, blame: split.blame(of: PathTree.root)))
        let position = partition.phases[phase.number].position
        blame.add(split, row: row, baseline: baselines[position], tree: tree)
      }
      let sum = hitch.groups.reduce(hitch.backlog + hitch.other) { $0 + $1.blame }
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
  func causes(
    where isWanted: (Int) -> Bool
  ) -> (lines: [Line], entries: CauseEntries, cut: NamedCut) {
    let cut = NamedCut(of: blame, tree: partition.tree, names: trace.names) {
      partition.walk.roleName(of: $0)
    }
    let late = strata.groups.flatMap(\.late).filter(isWanted).sorted()
    var entries = CauseEntries(cut: cut, facts: facts(of: cut, in: late))
    var row = InclusiveRow(nodeCount: partition.tree.count)
    var lines: [Line] = []
    forEachHitch(where: isWanted) { frame, baselines in
      let hitch = hitches[frame] ?? HitchParts()
      for group in hitch.groups {
        row.load(partition.row(ofPhase: group.phase.number), of: partition.tree)
        let position = partition.phases[group.phase.number].position
        entries.add(parts[group.parts], row: row, baseline: baselines[position])
      }
      entries.add(backlog: hitch.backlog, other: hitch.other)
      let (causes, definitions) = entries.endHitch()
      lines.append(
        Line(
          frame: frame, causes: causes, definitions: definitions, parts: hitch,
          deviations: deviations(of: definitions.first, in: hitch, cut, baselines, &row)))
    }
    lines.sort { $0.frame < $1.frame }
    return (lines, entries, cut)
  }

  /// By how many standard deviations a cause is above normal in the phase in which it bears most.
  private func deviations(
    of definition: Int?, in hitch: HitchParts, _ cut: NamedCut, _ baselines: PhaseBaselines,
    _ row: inout InclusiveRow
  ) -> Double? {
    guard let definition, definition > NamedCut.backlog else { return nil }
    func blame(_ group: HitchParts.Group) -> Int64 {
      parts[group.parts].reduce(0) {
        cut.definition(of: $1.node) == definition ? $0 + $1.blame : $0
      }
    }
    guard let group = hitch.groups.max(by: { blame($0) < blame($1) }) else { return nil }
    let node = cut.definitions[definition].node
    let baseline = baselines[partition.phases[group.phase.number].position]
    let deviation = baseline.deviation(of: node)
    guard deviation > 0 else { return nil }
    row.load(partition.row(ofPhase: group.phase.number), of: partition.tree)
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
