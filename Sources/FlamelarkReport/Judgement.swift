internal import FlamelarkAnalysis
internal import FlamelarkTrace

/// One series of a blame report, with the figures that both text and JSON show.
struct Judgement: Sendable {
  let blame: Blame
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

  var frames: JudgedFrames { blame.frames }
  var name: String { frames.series.name }

  init(_ blame: Blame, options: BlameReport.Options) {
    self.blame = blame
    worst = blame.hitches.sorted { ($1.lateness, $0.frame.number) < ($0.lateness, $1.frame.number) }
    // Times come from files that anybody may have written: they wrap rather than stop us.
    func length(_ hitch: Hitch) -> Int64 { hitch.window.upperBound &- hitch.window.lowerBound }
    let long = blame.hitches.filter { length($0) >= 700_000_000 }
    frozen = long.count
    let late = long.reduce(0) { $0 &+ $1.lateness }
    let rest = blame.frames.activeTime &- long.reduce(0) { $0 &+ length($1) }
    ratioWithoutFrozen = rest > 0 ? Double(blame.frames.hitchTime &- late) / Double(rest) * 1000 : 0
    let series = blame.frames.series
    marked = series.markedByProgram.filter { options.range?.contains($0.time) ?? true }
    if options.range == nil, options.refresh == nil, series.mode != .spans {
      let found = Dictionary(
        blame.hitches.map { ($0.frame.number, $0.lateness) },
        uniquingKeysWith: { first, _ in first })
      let marks = series.markedByRecorder
      recorderMarks = (marks.count, marks.filter { found[$0.frame] == $0.lateness }.count)
    } else {
      recorderMarks = nil
    }
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
    blame.hitches.filter { $0.causes.reduce(0) { $0 + $1.blame } == $0.lateness }.count
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
