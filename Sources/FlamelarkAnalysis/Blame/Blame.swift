public import FlamelarkTrace

/// Why the frames of a series were late.
///
/// Each hitch is explained by what its thread did differently than in good frames. The time above
/// normal bears the lateness in proportion, in whole nanoseconds: the causes of a hitch add up to
/// its lateness, exactly.
public struct Blame: Sendable {
  /// What may be asked.
  public struct Options: Sendable {
    /// The interval that a frame may take, in nanoseconds, over what the trace says.
    public var refresh: Int64?
    /// Only frames that begin in one of them are reported. Normal is still taken from all frames.
    public var ranges: [Range<Int64>]?

    /// Everything, as the trace says.
    public init() {}
  }

  /// The frames that were asked for, judged.
  public let frames: JudgedFrames
  /// The late ones among them, by frame number.
  public let hitches: [Hitch]
  /// What made them late, over all of them, largest first. Adds up to ``JudgedFrames/hitchTime``.
  public let causes: [Cause]
  /// The hitches by what they have in common, that with most lateness first.
  public let clusters: [HitchCluster]
  /// All lateness as a tree, in the order of a walk through it.
  public let tree: [BlameNode]
  /// The hitch ratio if the first three causes had always cost what they normally do, in ms/s; nil if
  /// there are not three that can be replayed.
  public let ratioIfFirstThreeNormal: Double?
  /// All frames of the series.
  private let judged: JudgedFrames
  /// How many good frames the series has.
  public let goodFrames: Int
  /// The groups that its frames are compared in, by interval, then tag.
  public let strata: [Stratum]
  /// What a good frame needs, without waiting, in nanoseconds; 0 if there is none.
  public let goodFrameTime: (median: Int64, p95: Int64)

  /// The time of left-out spans in the frames of the whole series, in nanoseconds: what of it is
  /// theirs, and what is left with the spans around them, because they don't have that much.
  public let foldedTime: (placed: Int64, left: Int64)

  /// So many causes are replayed.
  private static let mostReplayed = 10

  /// Blames the hitches of a series. Time and memory grow with spans + frames.
  public init(of trace: Trace, series: Trace.FrameSeries, options: Options = .init()) {
    let all = JudgedFrames(of: series, in: trace, refresh: options.refresh)
    let ledger = BlameLedger(of: all, in: trace)
    let ranges = options.ranges?.apart
    let found = ledger.causes { index in
      ranges.map { $0.index(holding: all.frames[index].window.lowerBound) != nil } ?? true
    }
    frames = ranges.map { all.within($0) } ?? all
    judged = all
    let verdicts = found.lines.map {
      Hitch.Verdict(of: $0, in: all, ledger.partition.phases)
    }
    let clustering = HitchClustering(
      zip(found.lines, verdicts).map { line, verdict in
        (all.frames[line.frame].number, all.frames[line.frame].lateness, verdict.kind, line.causes)
      })
    clusters = clustering.clusters
    hitches = found.lines.indices.map { index in
      let line = found.lines[index]
      return Hitch(
        frame: series.frames[line.frame], judged: all.frames[line.frame], causes: line.causes,
        verdict: verdicts[index], deviations: line.deviations,
        cluster: clustering.clusterOf[index])
    }
    tree = ledger.nodes(of: found.lines)
    let ranked = found.entries.seriesDefinitions().filter {
      WhatIf.canTell(found.cut.definitions[$0].kind)
    }
    let asked = Array(ranked.prefix(Self.mostReplayed))
    let sets = asked.map { [$0] } + (ranked.count >= 3 ? [Array(ranked.prefix(3))] : [])
    let ratios = ledger.ratios(without: sets, of: found.lines, cut: found.cut, frames: frames)
    var ratioOf: [Int: Double] = [:]
    for (definition, ratio) in zip(asked, ratios) { ratioOf[definition] = ratio }
    ratioIfFirstThreeNormal = ranked.count >= 3 ? ratios.last : nil
    causes = found.entries.seriesCauses(
      confidence: ledger.confidences(of: found.lines, cut: found.cut), ratioIfNormal: ratioOf)
    let total = causes.reduce(0) { $0 + $1.blame }
    Law.seriesAddsUp.check(total == frames.hitchTime, "\(total) of \(frames.hitchTime) ns")
    strata = ledger.strata.groups.map { group in
      Stratum(
        interval: all.rates[group.bucket], tag: group.tag.map { trace.names[$0] },
        frameCount: group.frames.count,
        goodFrames: ledger.strata.normalCount(of: group),
        isWidened: group.source == .series || group.source == .fastestOfSeries,
        isSystemic: group.source == .fastestOwn || group.source == .fastestOfSeries)
    }
    foldedTime = ledger.foldedTime
    let times = ledger.goodFrameTimes()
    goodFrames = ledger.strata.good.count
    goodFrameTime = (times.nearestRank(50), times.nearestRank(95))
  }

  /// Blames the hitches of the series of a name, nil if there is none of it.
  public init?(of trace: Trace, series name: String, options: Options = .init()) {
    guard let series = trace.frameSeries.first(where: { $0.name == name }) else { return nil }
    self.init(of: trace, series: series, options: options)
  }
}

extension Blame {
  /// What a hitch spent its time on, in the order of time, from the beginning of its window to its end.
  ///
  /// `trace` is that which was blamed. O(spans + links of the trace).
  public func steps(of hitch: Hitch, in trace: Trace) -> [CriticalStep] {
    guard judged.frames.indices.contains(hitch.frame.number) else { return [] }
    var walk = CriticalWalk(of: judged, in: trace)
    var collector = StepCollector()
    walk.walk(hitch.frame.number, of: judged, &collector)
    let steps = collector.steps(walk.tree, names: trace.names)
    let sum = steps.reduce(0) { $0 + $1.range.duration }
    Law.windowsAreDivided.check(
      sum == hitch.window.duration, frame: hitch.frame.number,
      "\(sum) of \(hitch.window.duration) ns")
    return steps
  }
}

extension Array<Int64> {
  /// The least element that so many in a hundred are not above, 0 if there is none. Sorted.
  fileprivate func nearestRank(_ percent: Int) -> Int64 {
    isEmpty ? 0 : self[Swift.max(0, (count * percent + 99) / 100 - 1)]
  }
}
