public import FlamelarkAnalysis

/// Whether runs keep what is asked of them: what `flamelark check` says.
public struct CheckReport: Sendable {
  /// What is asked of them.
  public struct Limits: Sendable {
    /// The greatest hitch ratio of all runs together, in ms/s.
    public var hitchRatio: Double?
    /// The greatest ratio that 90 in a hundred sessions don't exceed, in ms/s.
    public var p90: Double?

    /// Nothing.
    public init() {}
  }

  /// Something that was asked, and the answer.
  struct Item: Sendable {
    let name: String
    let isKept: Bool
    let sentence: String
  }

  let runs: [RunFigures]
  let set: RunSet
  /// The names of the files, as they were given.
  let files: [String]
  let limits: Limits
  /// Against the baseline, if there is one.
  let compared: CompareReport?
  /// What of the baseline could not be read, each with why.
  let leftOut: [String]

  /// The report of some runs. `compared` is from the baseline to them.
  public init(
    _ runs: [RunFigures], files: [String], limits: Limits, compared: CompareReport? = nil,
    leftOut: [String] = []
  ) {
    self.runs = runs
    self.files = files
    self.limits = limits
    self.compared = compared
    self.leftOut = leftOut
    set = RunSet(runs)
  }

  /// Whether all that was asked is kept.
  public var isKept: Bool { items.allSatisfy(\.isKept) }

  /// What was asked, in the order of its options.
  var items: [Item] {
    [ratioItem, p90Item, baselineItem].compactMap(\.self)
  }

  private var ratioItem: Item? {
    guard let limit = limits.hitchRatio else { return nil }
    let isKept = set.hitchRatio <= limit
    return Item(
      name: "hitch ratio", isKept: isKept,
      sentence: "hitch ratio \(Figure.ratio(set.hitchRatio)) ms/s is \(isKept ? "within" : "over") "
        + "\(Figure.ratio(limit))")
  }

  private var p90Item: Item? {
    guard let limit = limits.p90 else { return nil }
    let ratio = set.sessions(percentile: 90)
    let isKept = ratio <= limit
    let isOfActivities = runs.contains { !$0.activityRatios.isEmpty }
    let count = Figure.count(
      set.sessions.count, isOfActivities ? "activity" : "run",
      isOfActivities ? "activities" : "runs")
    // With fewer than ten the nearest rank is the last.
    let which = set.sessions.count < 10 ? "P90, here the greatest of \(count)," : "P90 of \(count)"
    return Item(
      name: "P90 of the hitch ratio", isKept: isKept,
      sentence: "\(which) \(Figure.ratio(ratio)) ms/s is \(isKept ? "within" : "over") "
        + Figure.ratio(limit))
  }

  private var baselineItem: Item? {
    guard let compared else { return nil }
    let ratio = compared.comparison.ratio
    let figures =
      "\(Figure.ratio(ratio.a)) -> \(Figure.ratio(ratio.b)) ms/s (\(compared.changePhrase))"
    let word =
      switch compared.comparison.verdict {
      case .better: "better than the baseline"
      case .worse: "worse than the baseline"
      case .noChange: "no change from the baseline seen"
      case .unknown: "whether it differs from the baseline can't be told"
      }
    return Item(
      name: "baseline", isKept: compared.comparison.verdict != .worse,
      sentence: "\(word): \(figures)")
  }

  /// The verdict in one line: what is not kept, else all that was asked.
  var verdict: String {
    let wrong = items.filter { !$0.isKept }
    return (wrong.isEmpty ? "PASS: " : "FAIL: ")
      + (wrong.isEmpty ? items : wrong).map(\.sentence).joined(separator: "; ")
  }

  /// Causes that the baseline didn't have, or less of.
  var regressions: [CauseChange] {
    compared?.comparison.causes.filter { change in
      [.new, .perhapsNew, .worse].contains(change.verdict)
    } ?? []
  }

  /// What these runs can show at all.
  var leastSeen: [String] {
    var sentences: [String] = []
    if let interval = set.interval {
      sentences.append(
        "The true ratio of such runs lies from \(Figure.ratio(interval.lowerBound)) to "
          + "\(Figure.ratio(interval.upperBound)) ms/s (\(CompareReport.confidence) interval).")
    }
    if let sentence = compared?.leastSeenSentence {
      sentences.append(sentence.replacing(" of A)", with: " of the baseline)"))
    } else if set.leastSeen.isFinite {
      sentences.append(
        "Against a baseline of as many such runs a change of \(Figure.ratio(set.leastSeen)) ms/s would be "
          + "found in four of five tries.")
    }
    return sentences
  }

  /// What a reader should know about how far this goes.
  var notes: [String] {
    var notes = compared?.notes ?? []
    if compared == nil, set.unit == .block {
      notes.append(
        set.interval == nil
          ? "the runs are shorter than a second, and fewer than \(Comparison.leastRuns): how sure the "
            + "ratio is can't be told"
          : "with fewer than \(Comparison.leastRuns) runs, parts of about a second stand for runs: how runs differ "
            + "by themselves is not known")
    }
    return notes + leftOut.map { "left out of the baseline: \(PrintableText($0).text)" }
  }
}
