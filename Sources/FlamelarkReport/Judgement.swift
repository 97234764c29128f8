internal import FlamelarkAnalysis
internal import FlamelarkTrace

/// One series of a blame report, with the figures that both text and JSON show.
struct Judgement: Sendable {
  /// The frames that were asked for.
  let frames: JudgedFrames
  /// The late ones among them, by frame number.
  let hitches: [Hitch]
  /// What made them late, over all of them, largest first.
  let causes: [Cause]
  /// The hitches by what they have in common.
  let clusters: [HitchCluster]
  /// The hitch ratio if the first three causes were normal, in ms/s.
  let ratioIfFirstThreeNormal: Double?
  let goodFrames: Int
  let strata: [Stratum]
  let goodFrameTime: (median: Int64, p95: Int64)
  let foldedTime: (placed: Int64, left: Int64)
  /// The hitches, latest first; of equals the first.
  let worst: [Hitch]
  /// The frames of at least 0.7 s among the hitches.
  let frozen: Int
  /// The ratio without frozen frames: one of them hides all others.
  let ratioWithoutFrozen: Double
  /// Those of the marks of the program that lie in the range.
  let marked: [Trace.MarkedHitch]
  /// The marks that the recorder made, and how many of them are hitches here; nil where the
  /// question was changed by a range or another refresh rate.
  let recorderMarks: (count: Int, found: Int)?

  var name: String { frames.series.name }

  init(_ blame: Blame, ranges: [Range<Int64>]?, options: BlameReport.Options) {
    self.init(
      frames: blame.frames, hitches: blame.hitches, causes: blame.causes,
      clusters: blame.clusters, ratioIfFirstThreeNormal: blame.ratioIfFirstThreeNormal,
      goodFrames: blame.goodFrames, strata: blame.strata, goodFrameTime: blame.goodFrameTime,
      foldedTime: blame.foldedTime, ranges: ranges, options: options)
  }

  init(
    frames: JudgedFrames, hitches: [Hitch], causes: [Cause], clusters: [HitchCluster],
    ratioIfFirstThreeNormal: Double?, goodFrames: Int, strata: [Stratum],
    goodFrameTime: (median: Int64, p95: Int64), foldedTime: (placed: Int64, left: Int64),
    ranges: [Range<Int64>]?, options: BlameReport.Options
  ) {
    self.frames = frames
    self.hitches = hitches
    self.causes = causes
    self.clusters = clusters
    self.ratioIfFirstThreeNormal = ratioIfFirstThreeNormal
    self.goodFrames = goodFrames
    self.strata = strata
    self.goodFrameTime = goodFrameTime
    self.foldedTime = foldedTime
    worst = hitches.sorted { ($1.lateness, $0.frame.number) < ($0.lateness, $1.frame.number) }
    // Times come from files that anybody may have written: they wrap rather than stop us.
    func length(_ hitch: Hitch) -> Int64 { hitch.window.upperBound &- hitch.window.lowerBound }
    let long = hitches.filter { length($0) >= 700_000_000 }
    frozen = long.count
    let late = long.reduce(0) { $0 &+ $1.lateness }
    let rest = frames.activeTime &- long.reduce(0) { $0 &+ length($1) }
    ratioWithoutFrozen = rest > 0 ? Double(frames.hitchTime &- late) / Double(rest) * 1000 : 0
    let series = frames.series
    marked = series.markedByProgram.filter { mark in
      ranges.map { $0.index(holding: mark.time) != nil } ?? true
    }
    if ranges == nil, options.refresh == nil, series.mode != .spans {
      let found = Dictionary(
        hitches.map { ($0.frame.number, $0.lateness) },
        uniquingKeysWith: { first, _ in first })
      let marks = series.markedByRecorder
      recorderMarks = (marks.count, marks.filter { found[$0.frame] == $0.lateness }.count)
    } else {
      recorderMarks = nil
    }
  }

  /// The part of the lateness that is borne by causes that stand out: 0…1.
  var explained: Double {
    guard frames.hitchTime > 0 else { return 0 }
    let sum = hitches.reduce(0.0) { $0 + $1.explained * Double($1.lateness) }
    return min(1, sum / Double(frames.hitchTime))
  }

  /// Whether the report can't tell why: less than half of the lateness is explained.
  var declines: Bool { !hitches.isEmpty && explained < 0.5 }

  /// From how many hitches is told how sure the causes are; nil: from too few to tell.
  var confidenceHitches: Int? {
    causes.contains { $0.confidence != nil } ? hitches.count : nil
  }

  /// A lateness that `percent` of the hitches don't exceed, by nearest rank; 0 without hitches.
  func lateness(percentile percent: Int) -> Int64 {
    guard !worst.isEmpty else { return 0 }
    let rank = max(1, (worst.count * percent + 99) / 100)
    return worst[worst.count - rank].lateness
  }

  /// How late a frame is, nil if the report doesn't speak of it.
  func lateness(ofFrame number: Int) -> Int64? {
    let frames = frames.frames
    // Numbers ascend by one, but may begin anywhere.
    guard let first = frames.first?.number, frames.indices.contains(number &- first) else {
      return nil
    }
    return frames[number &- first].lateness
  }

  /// More than a fifth of the targets had to be made up: the ratio is about right at best.
  var isApproximate: Bool { frames.estimatedTargets * 5 > frames.frames.count }

  /// Hitches whose causes add up to their lateness. Less than all would be a defect.
  var exactHitches: Int {
    hitches.filter { $0.causes.reduce(0) { $0 + $1.blame } == $0.lateness }.count
  }

  /// Whether a frame ends before the next begins. Where frames are only marked, their time is always
  /// the whole interval, and says nothing about headroom.
  var tellsWorkFromWaiting: Bool {
    switch frames.series.mode {
    case .marks: false
    case .displayLink, .presented: true
    case .spans: frames.series.frames.first?.span != nil
    }
  }

  /// The frames that no lateness can be told of, because they were cut off, or are the
  /// first shown ones of a segment.
  var cutFrames: Int {
    frames.frames.filter { frame in
      !frame.isCountable && frame.display != .dropped && frame.display != .untold
    }.count
  }
}
