package import FlamelarkAnalysis

/// What a rule of others says of some frames, for a person.
package enum RuleText {
  /// The most frames whose numbers are listed.
  private static let mostListed = 40

  /// The lines: the rule, its classes, its figures, the numbers of the bad frames.
  package static func lines(
    of outcome: FrameRule.Outcome, width: Int = 100, style: TextStyle = TextStyle(isColored: false)
  ) -> [String] {
    let rule = outcome.rule
    var lines = wrapped(
      "Rule \(rule.rawValue): \(rule.owner)", width: width, first: "", next: "  "
    ).map(style.bold)
    lines += wrapped(rule.sentence, width: width, first: "  ", next: "  ")
    lines += wrapped(
      "\(Figure.count(outcome.judged, "frame")) judged by \(outcome.time.words)", width: width,
      first: "  ", next: "  ")
    lines.append("")
    lines += classes(of: outcome).lines(width: width)
    lines.append("")
    lines += figures(of: outcome).lines(width: width)
    return lines + [""] + numbers(of: outcome, width: width)
  }

  private static func classes(of outcome: FrameRule.Outcome) -> Table {
    var table = Table([.number("frames", least: 6), .words("called")])
    for item in outcome.classes {
      table.append([
        .text(Figure.count(item.count)),
        .text(item.name + (item.partOf.map { ", also \($0)" } ?? "")),
      ])
    }
    return table
  }

  private static func figures(of outcome: FrameRule.Outcome) -> Table {
    var table = Table([.number("value", least: 6), .words("unit"), .words("figure")])
    for figure in outcome.figures {
      table.append([
        .text(figure.value.map(Figure.ratio) ?? "-"), .text(figure.unit.rawValue),
        .text(figure.name),
      ])
    }
    return table
  }

  private static func numbers(of outcome: FrameRule.Outcome, width: Int) -> [String] {
    let bad = outcome.badFrames
    guard !bad.isEmpty else { return ["  No frame is bad by this rule."] }
    var text = bad.prefix(mostListed).map { "\($0)" }.joined(separator: ", ")
    if bad.count > mostListed { text += " and \(Figure.count(bad.count - mostListed)) more" }
    return wrapped(
      "bad: \(text)", width: width, first: "  ", next: "       ")
  }
}

extension FrameRule {
  /// Whose rule it is, and what it is called there.
  package var owner: String {
    switch self {
    case .jankStats: "JankStats of androidx.metrics"
    case .frameOverrun: "frameOverrunMs of Android's Macrobenchmark"
    case .sentry: "slow and frozen frames of Sentry for Apple's systems"
    case .perfDog: "Jank, BigJank and Stutter of PerfDog"
    case .unreal: "hitches of Unreal Engine's FPS charts"
    case .capFrameX: "stuttering time of CapFrameX"
    }
  }

  /// The rule in a sentence.
  package var sentence: String {
    switch self {
    case .jankStats: "Jank is a frame that took longer than 2.0 times its interval."
    case .frameOverrun: "A frame overruns that was ready after its target; below 0 is time left."
    case .sentry:
      "Slow is a frame time above 1 / (rate - 1) s, frozen one above 0.7 s; what is above "
        + "1 / (rate - 1) s is delay."
    case .perfDog:
      "Jank is a frame time above twice the mean of the three before it and above 84 ms, BigJank above "
        + "125 ms; Stutter is the part of the time in janks."
    case .unreal:
      "A hitch is a frame time of 60 ms and more, above 1.5 times the one before, 200 ms after the "
        + "last hitch."
    case .capFrameX: "Stuttering is a frame time above 2.5 times the average."
    }
  }
}

extension FrameRule.Time {
  fileprivate var words: String {
    switch self {
    case .work: "the time from timestamp to end"
    case .frameToFrame: "the time from timestamp to timestamp"
    case .shownToShown: "the time from shown to shown"
    }
  }
}
