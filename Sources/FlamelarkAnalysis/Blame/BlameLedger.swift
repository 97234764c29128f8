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
    /// What causes bear that stand out, in nanoseconds.
    var explained: Int64
    /// By how many standard deviations of good frames the first cause is above normal.
    var deviations: Double?
  }

  init(of judged: JudgedFrames, in trace: Trace) {
    self.trace = trace
    self.judged = judged
    strata = FrameStrata(of: judged)
    // What becomes of left-out spans is told of all frames.
    let asked = trace.folded.isEmpty ? strata.framesToDivide(of: judged) : nil
    partition = FramePartition(of: judged, in: trace, only: asked)
    blame = BlameTree(nodeCount: partition.tree.count)
    divideAll()
  }

  /// What became of the time of left-out spans.
  var foldedTime: (placed: Int64, left: Int64) { partition.foldedTime }

  /// What good frames need: the time of each, ascending.
  func goodFrameTimes() -> [Int64] {
    strata.someGood.map { partition.busyTime(of: $0) }.sorted()
  }

  /// Calls `body` with each hitch and what is normal for it.
  ///
  /// `normal` may draw other frames in place of those that say what is normal. With `isUsual` that is
  /// what is usual where hardly a frame is good: all frames, not the fastest.
  private func forEachHitch(
    where isWanted: (Int) -> Bool, normal: ([Int]) -> [Int] = { $0 }, isUsual: Bool = false,
    _ body: (Int, PhaseBaselines) -> Void
  ) {
    let (phases, tree) = (partition.phases, partition.tree)
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
        let frames =
          isUsual
          ? strata.usualFrames(of: strata.groups[group])
          : strata.normalFrames(of: strata.groups[group], in: partition)
        for frame in normal(frames) {
          baselines.beginFrame()
          for phase in phases.phases(of: frame) {
            row.loadUnsorted(partition.row(ofPhase: phase), of: tree)
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
        blame.add(split, nodes: row.nodes, tree: tree)
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
    let cut = NamedCut(
      of: blame, tree: partition.tree, frames: partition.walk.frameNodes(), names: trace.names
    ) {
      partition.walk.roleName(of: $0)
    }
    let late = strata.groups.flatMap(\.late).filter(isWanted)
    let bearers = Set(late.flatMap { hitches[$0]?.groups.map(\.phase) ?? [] })
    var entries = CauseEntries(
      cut: cut, facts: facts(of: cut, in: bearers.sorted { $0.number < $1.number }))
    var row = InclusiveRow(nodeCount: partition.tree.count)
    var lines: [Line] = []
    forEachHitch(where: isWanted) { frame, baselines in
      let hitch = hitches[frame] ?? HitchParts()
      for group in hitch.groups {
        row.load(partition.row(ofPhase: group.phase.number), of: partition.tree)
        let position = partition.phases[group.phase.number].position
        entries.add(
          parts[group.parts], row: row, baseline: baselines[position],
          scale: baselines.scale(forBudget: judged.frames[group.phase.frame].budget))
      }
      entries.add(backlog: hitch.backlog, other: hitch.other)
      let summary = entries.endHitch()
      lines.append(
        Line(
          frame: frame, causes: summary.causes, definitions: summary.definitions, parts: hitch,
          explained: summary.explained, deviations: summary.deviations))
    }
    lines.sort { $0.frame < $1.frame }
    return (lines, entries, cut)
  }

  /// All lateness of some hitches as a tree, in the order of a walk through it.
  func nodes(of lines: [Line]) -> [BlameNode] {
    let tree = partition.tree
    var own = Array(repeating: Int64(0), count: tree.count)
    var backlog: Int64 = 0
    for line in lines {
      for group in line.parts.groups {
        for part in parts[group.parts] { own[part.node.at] += part.blame }
      }
      backlog += line.parts.backlog
      own[PathTree.root.at] += line.parts.other
    }
    return BlameNode.walk(tree, own: own, backlog: backlog, names: trace.names) {
      partition.walk.roleName(of: $0)
    }
  }

  // MARK: - How sure it is

  /// How sure the blame of each definition is over some hitches, divided already.
  func confidences(of lines: [Line], cut: NamedCut) -> [Int: Cause.Confidence] {
    guard lines.count >= Resampling.leastHitches else { return [:] }
    var resampling = Resampling()
    resampling.add(
      lines.map { line in
        (
          judged.frames[line.frame].window.lowerBound,
          zip(line.definitions, line.causes).map { ($0, $1.blame) }
        )
      })
    var seed = UInt64(lines.count)
    for line in lines {
      seed = (seed ^ UInt64(bitPattern: judged.frames[line.frame].lateness)) &* 0x100_0000_01B3
    }
    var numbers = SeededNumbers(seed: seed)
    let isSmall = strata.groups.contains {
      !$0.late.isEmpty && strata.normalCount(of: $0) < Resampling.manyFrames
    }
    if isSmall && lines.count <= Resampling.mostHitchesDividedAgain {
      for _ in 1..<Resampling.normals { resampling.add(dividedAgain(lines, cut, &numbers)) }
    }
    return resampling.confidences(definitionCount: cut.definitions.count, seed: seed)
  }

  /// The hitches divided by what frames drawn from the good ones say is normal.
  private func dividedAgain(
    _ lines: [Line], _ cut: NamedCut, _ numbers: inout SeededNumbers
  ) -> [(time: Int64, shares: [(Int, Int64)])] {
    var split = LatenessSplit(partition, of: judged)
    var found: [Int: [Int: Int64]] = [:]
    let wanted = Set(lines.map(\.frame))
    var drawn = numbers
    forEachHitch(
      where: wanted.contains,
      normal: { frames in frames.indices.map { _ in frames[drawn.next(below: frames.count)] } }
    ) { frame, baselines in
      var shares: [Int: Int64] = [:]
      let left = split.divide(frame, baselines: baselines) { _, _, split in
        for part in split.parts {
          shares[cut.definition(of: part.node), default: 0] += part.blame
        }
      }
      shares[NamedCut.backlog, default: 0] += left.backlog
      shares[NamedCut.other, default: 0] += left.other
      found[frame] = shares
    }
    numbers = drawn
    return lines.map { line in
      (
        judged.frames[line.frame].window.lowerBound,
        (found[line.frame] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      )
    }
  }

  // MARK: - What if

  /// The hitch ratio in ms/s if each of some sets of definitions had taken what it normally does, over
  /// some hitches.
  func ratios(without sets: [[Int]], of lines: [Line], cut: NamedCut, frames: JudgedFrames)
    -> [Double]
  {
    var whatIf = WhatIf(of: partition, judged: judged, cut: cut)
    let samples = sets.map { set in
      WhatIf.sample(lines.filter { !Set($0.definitions).isDisjoint(with: set) }.map(\.frame))
    }
    var saved = Array(repeating: 0.0, count: sets.count)
    let wanted = Set(samples.flatMap(\.hitches))
    let chosen = samples.map { Set($0.hitches) }
    var usual: [[WhatIf.Usual]] = []
    var stamp: Int?
    forEachHitch(where: wanted.contains, isUsual: true) { frame, baselines in
      if stamp != baselines.stamp {
        stamp = baselines.stamp
        usual = baselines.byPosition.map { self.usual(in: cut, by: $0) }
      }
      for (index, set) in sets.enumerated() where chosen[index].contains(frame) {
        let left = whatIf.lateness(of: frame, without: set) { usual[$1][$0] }
        saved[index] += Double(judged.frames[frame].lateness - left)
      }
    }
    return sets.indices.map { index in
      let saved = min(saved[index] * samples[index].weight, Double(frames.hitchTime))
      // Where a late frame puts off the next one, the loop also comes further in its time.
      let active =
        judged.series.isPipeline ? Double(frames.activeTime) : Double(frames.activeTime) - saved
      return active > 0 ? (Double(frames.hitchTime) - saved) / active * 1000 : 0
    }
  }

  /// What each definition usually takes.
  private func usual(in cut: NamedCut, by baseline: Baseline) -> [WhatIf.Usual] {
    var usual = cut.definitions.map { definition in
      WhatIf.Usual(time: 0, deviation: baseline.deviation(of: definition.node))
    }
    for index in 0..<UInt32(partition.tree.count) {
      let node = PathTree.Node(index: index)
      usual[cut.definition(of: node)].time += baseline.selfTime(of: node)
    }
    return usual
  }

  /// What the phases that bear lateness say of each cause beyond its figures.
  private func facts(of cut: NamedCut, in bearers: [FramePhase]) -> CauseEntries.Facts {
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
    for bearer in bearers {
      let phase = partition.phases[bearer.number]
      facts.window = phase.range
      walk.walk(phase, frameSpan: judged.series.frames[bearer.frame].span, &facts)
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
