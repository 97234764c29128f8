public import FlamelarkAnalysis
internal import FlamelarkTrace

/// What became of the frames from one set of runs to another: what `flamelark compare` says.
public struct CompareReport: Sendable {
  /// What was asked for.
  public struct Options: Sendable {
    /// What is good.
    public var scale = HitchScale.scroll
    /// Which frames it speaks of.
    public var selection = FrameSelection()
    /// It goes on where runs are not comparable.
    public var goesOnAnyway = false

    /// Everything.
    public init() {}
  }

  /// What became of them.
  public let comparison: Comparison
  /// The names of the files of the first set, as they were given.
  public let a: [String]
  /// The names of the files of the second set.
  public let b: [String]
  let options: Options
  /// The overruns of all runs of each set.
  let overruns: (a: Overruns, b: Overruns)

  /// The report of a comparison of some files.
  public init(_ comparison: Comparison, a: [String], b: [String], options: Options = .init()) {
    self.comparison = comparison
    self.a = a
    self.b = b
    self.options = options
    overruns = comparison.overruns()
  }

  /// Why the sets can't be compared: a sentence for each condition that differs and may not.
  public var refusals: [String] {
    comparison.mismatches.filter(\.isRefused).map(\.sentence)
  }
}

extension ConditionMismatch {
  /// Whether sets are not comparable because of it.
  var isRefused: Bool { subject.isGrave && !isUnknown }

  /// What differs, in a sentence without its end.
  var sentence: String {
    func list(_ values: [String]) -> String {
      let texts = values.prefix(4).map { shortened(PrintableText($0).text, to: 60) }
      let rest = values.count > 4 ? " and \(values.count - 4) more" : ""
      return texts.isEmpty ? "not known" : texts.joined(separator: " / ") + rest
    }
    if isUnknown, a == b || a.count == 1 && b.count == 1 && a == ["not known"] && b == a {
      return "the \(subject.rawValue) is in no trace: whether it is the same is not known"
    }
    if isUnknown { return "the \(subject.rawValue) is not in all traces: it may differ" }
    return "the \(subject.rawValue) differ\(isPlural ? "" : "s"): \(list(a)) and \(list(b))"
  }

  private var isPlural: Bool { subject == .rates || subject == .filters }
}

/// The phrases that text and markdown share.
extension CompareReport {
  /// How sure an interval is: `97 %`.
  static let confidence = "\(Figure.percent(1 - Difference.level)) %"

  var verdictWord: String {
    let word =
      switch comparison.verdict {
      case .better: "BETTER"
      case .worse: "WORSE"
      case .noChange: "NO CHANGE SEEN"
      case .unknown: "CAN'T TELL"
      }
    let isNarrow = comparison.unit == .block && comparison.verdict != .unknown
    return isNarrow ? word + " IN THESE RUNS" : word
  }

  /// The change of the hitch ratio, and how sure it is.
  var changePhrase: String {
    let ratio = comparison.ratio
    if let relative = ratio.relativeInterval() {
      return "\(Signed.percent(ratio.relativeChange)) %, \(Self.confidence) interval "
        + "\(Signed.percent(relative.lowerBound)) to \(Signed.percent(relative.upperBound)) %"
    }
    let change = "\(Signed.ratio(ratio.change)) ms/s"
    guard let interval = ratio.interval() else {
      return "\(change), and how sure that is can't be told"
    }
    return "\(change), \(Self.confidence) interval \(Signed.range(interval))"
  }

  /// What bears most of the change; nil: there is none, or nothing stands out.
  var reason: (cause: CauseChange, phrase: String, figures: String)? {
    guard comparison.verdict == .better || comparison.verdict == .worse else { return nil }
    let isUp = comparison.ratio.change > 0
    guard
      let cause = comparison.causes.first(where: {
        $0.verdict != .noChange && ($0.blame.change > 0) == isUp
      })
    else { return nil }
    let figures =
      "\(Figure.ratio(cause.blame.a)) -> \(Figure.ratio(cause.blame.b)) ms/s, "
      + "\(Signed.ratio(cause.blame.change)) of \(Signed.ratio(comparison.ratio.change)) in all"
    return (cause, cause.verdict.phrase, figures)
  }

  /// The least change that these runs would have shown.
  var leastSeenSentence: String? {
    let least = comparison.ratio.leastSeen
    guard least.isFinite, comparison.verdict != .unknown else { return nil }
    return "With these runs a change of \(Figure.ratio(max(least, comparison.leastChange))) ms/s"
      + part(max(least, comparison.leastChange)) + " would be found in four of five tries."
  }

  private func part(_ change: Double) -> String {
    let base = comparison.ratio.a
    guard base > 0, change / base < 100 else { return "" }
    return " (\(Figure.percent(change / base)) % of A)"
  }

  /// What a reader should know about how far this goes.
  var notes: [String] {
    var notes: [String] = []
    let refused = comparison.mismatches.filter(\.isRefused)
    if !refused.isEmpty, options.goesOnAnyway {
      notes += refused.map {
        "\($0.sentence); compared all the same, because of --anyway: the difference may come from that"
      }
    }
    notes += comparison.mismatches.filter { !$0.isRefused }.map(\.sentence)
    switch comparison.unit {
    case .run: break
    case .block where comparison.ratio.interval() == nil:
      notes.append(
        "the runs are shorter than a second, and fewer than \(Comparison.leastRuns) a side: record "
          + "longer ones, or more")
    case .block:
      notes.append(
        "with fewer than \(Comparison.leastRuns) runs a side, parts of about a second stand for runs: how runs "
          + "differ by themselves is in no interval; record 5 or more a side to know that it stays so"
      )
    }
    if comparison.verdict == .unknown, comparison.ratio.interval() != nil {
      notes.append(
        "these runs are too few, too short or too different from each other to show even a change of all "
          + "lateness: record more, longer, and all with the same input on a quiet machine")
    }
    if comparison.causes.contains(where: { $0.verdict == .perhapsNew || $0.verdict == .perhapsGone }
    ) {
      notes.append(
        "a cause that one set alone has is perhaps new, or perhaps gone, where that can be chance with "
          + "so few runs")
    }
    return notes
  }

  /// Causes that are told of: those that changed, and the others that bear something.
  func shownCauses(top: Int?) -> (shown: [CauseChange], rest: [CauseChange]) {
    let told = comparison.causes.filter { change in
      change.verdict != .noChange || max(change.blame.a, change.blame.b) >= comparison.leastChange
    }
    let shown = Array(told.prefix(top ?? 10))
    let names = Set(shown.map(\.signature))
    return (shown, comparison.causes.filter { !names.contains($0.signature) })
  }

  /// Spans whose self time changed, or that take most.
  func shownSpans(top: Int?) -> [SpanChange] {
    Array(
      comparison.spans.filter { max($0.time.a, $0.time.b) >= 0.5 }.prefix(top ?? 8))
  }

  /// The times that parts of the overruns are told for, in nanoseconds.
  static let overrunBounds: [Int64] = [-16, -8, -4, -2, 0, 2, 4, 8, 16, 33].map { $0 * 1_000_000 }

  /// Parts of both distributions between those times, without those that none has.
  func overrunParts() -> [(name: String, a: Double, b: Double)] {
    let (a, b) = overruns
    let bounds = Self.overrunBounds
    func words(_ time: Int64) -> String { "\(time > 0 ? "+" : "")\(time / 1_000_000)" }
    var parts = (0...bounds.count).map { index in
      let lower = index > 0 ? bounds[index - 1] : nil
      let upper = index < bounds.count ? bounds[index] : nil
      let name =
        switch (lower, upper) {
        case (nil, let upper?): "under \(words(upper))"
        case (let lower?, let upper?): "\(words(lower)) to \(words(upper))"
        case (let lower?, nil): "over \(words(lower))"
        case (nil, nil): ""
        }
      return (name: name, a: a.share(from: lower, to: upper), b: b.share(from: lower, to: upper))
    }
    parts.removeAll { $0.a == 0 && $0.b == 0 }
    return parts
  }
}

extension CauseChange.Verdict {
  /// What is said of a cause.
  var phrase: String {
    switch self {
    case .worse: "bears more"
    case .better: "bears less"
    case .noChange: "bears the same"
    case .new, .gone, .perhapsNew, .perhapsGone: "is \(rawValue)"
    }
  }
  /// In a table, where most have none.
  var mark: String { self == .noChange ? "-" : rawValue }
}

/// Numbers with their sign.
enum Signed {
  /// A change of a ratio in ms/s: `+1.20`.
  static func ratio(_ value: Double) -> String {
    let hundredths = Figure.hundredths(value)
    return (hundredths > 0 ? "+" : "") + Figure.decimal(hundredths, decimals: 2)
  }

  /// A part of a whole as whole hundredths of it: `-58`.
  static func percent(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    let percent = Figure.percent(value)
    return (percent > 0 ? "+" : "") + Figure.count(percent)
  }

  /// Nanoseconds as milliseconds: `-3.2`.
  static func milliseconds(_ nanoseconds: Int64) -> String {
    let text = Figure.milliseconds(nanoseconds)
    return nanoseconds > 0 && text != "0.0" ? "+" + text : text
  }

  /// An interval of ratios: `-1.20 to +0.40`.
  static func range(_ interval: ClosedRange<Double>) -> String {
    "\(ratio(interval.lowerBound)) to \(ratio(interval.upperBound))"
  }
}
