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
    /// Only frames that begin in it are reported. Normal is still taken from all frames.
    public var range: Range<Int64>?

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
    let found = ledger.causes { index in
      options.range?.contains(all.frames[index].window.lowerBound) ?? true
    }
    frames = options.range.map { all.within($0) } ?? all
    hitches = found.lines.map { line in
      Hitch(
        frame: series.frames[line.frame], judged: all.frames[line.frame], causes: line.causes)
    }
    let ranked = found.entries.seriesDefinitions().filter {
      WhatIf.canTell(found.cut.definitions[$0].kind)
    }
    let asked = Array(ranked.prefix(Self.mostReplayed))
    let sets = asked.map { [$0] } + (ranked.count >= 3 ? [Array(ranked.prefix(3))] : [])
    let ratios = ledger.ratios(without: sets, of: found.lines, cut: found.cut, frames: frames)
    var ratioOf: [Int: Double] = [:]
    for (definition, ratio) in zip(asked, ratios) { ratioOf[definition] = ratio }
    ratioIfFirstThreeNormal = ranked.count >= 3 ? ratios.last ?? nil : nil
    causes = found.entries.seriesCauses(
      confidence: ledger.confidences(of: found.lines, cut: found.cut), ratioIfNormal: ratioOf)
    let total = causes.reduce(0) { $0 + $1.blame }
    Law.seriesAddsUp.check(total == frames.hitchTime, "\(total) of \(frames.hitchTime) ns")
    clusters =
      hitches.isEmpty
      ? []
      : [
        HitchCluster(
          signature: "mixed", frames: hitches.map(\.frame.number), lateness: frames.hitchTime)
      ]
    tree = []
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
    goodFrames = times.count
    goodFrameTime = (times.nearestRank(50), times.nearestRank(95))
  }

  /// Blames the hitches of the series of a name, nil if there is none of it.
  public init?(of trace: Trace, series name: String, options: Options = .init()) {
    guard let series = trace.frameSeries.first(where: { $0.name == name }) else { return nil }
    self.init(of: trace, series: series, options: options)
  }
}

extension Array<Int64> {
  /// The least element that so many in a hundred are not above, 0 if there is none. Sorted.
  fileprivate func nearestRank(_ percent: Int) -> Int64 {
    isEmpty ? 0 : self[Swift.max(0, (count * percent + 99) / 100 - 1)]
  }
}
