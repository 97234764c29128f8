internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension FramesReport {
  /// The report for a person.
  public func text(width: Int = 100, isColored: Bool = false) -> String {
    FramesText(report: self, width: width, style: TextStyle(isColored: isColored))
      .lines.map { $0 + "\n" }.joined()
  }
}

/// The text of a report on frames: the verdict first, then frame times, rates, pacing, activities.
struct FramesText {
  let report: FramesReport
  let width: Int
  let style: TextStyle

  var lines: [String] {
    guard report.sessions.count == 1, let session = report.sessions.first else {
      return overSessions
    }
    var lines: [String] = []
    if session.series.count > 1 { lines += overview(session) }
    for series in session.series {
      if !lines.isEmpty { lines.append("") }
      lines += header(series, of: session)
      lines += verdict(series)
      lines += shown(series)
      lines += frameTimes(series)
      lines += frameRate(series)
      lines += refreshRates(series)
      lines += pacing(series)
      lines += activities(
        series.activities.map { activity in
          var group = FramesReport.GroupedActivity(name: activity.name)
          group.occurrences = activity.occurrences.map { (0, $0) }
          group.frames = activity.frames
          group.hitches = activity.hitches
          group.pooled = activity.spread.pooled
          return group
        })
      lines += byRule(series)
      lines += checks(series, of: session)
    }
    return lines + notMeasured(session.series)
  }

  /// What a rule of others says, if one was asked for.
  func byRule(_ series: FrameFigures) -> [String] {
    series.byRule.map { [""] + RuleText.lines(of: $0, width: width, style: style) } ?? []
  }

  /// Several series are not added up: the worst is the verdict.
  private func overview(_ session: FramesReport.Session) -> [String] {
    guard let worst = report.worst else { return [] }
    return FlamelarkReport.lines(
      of: [
        file(session), Figure.count(session.series.count, "frame series", "frame series"),
      ] + session.phrases, width: width, next: "  ") + [
        "", "  \(verdict(of: worst)) in the worst series, \(name(worst.name))",
        "  \(report.options.scale.text)",
      ]
  }

  /// Band and ratio of a group.
  func verdict(of group: FramesReport.Group) -> String {
    "\(band(group.spread.pooled))   "
      + ratio(group.spread.pooled, isApproximate: group.isApproximate) + " ms/s"
  }

  private func header(_ series: FrameFigures, of session: FramesReport.Session) -> [String] {
    var phrases = session.series.count > 1 ? [] : [file(session)]
    phrases += [
      "series \(name(series.name))", "mode \(series.mode.rawValue)",
      Figure.duration(series.part.activeTime), Figure.count(series.frameCount, "frame"),
    ]
    if session.series.count == 1 { phrases += session.phrases }
    let lines = FlamelarkReport.lines(of: phrases, width: width, next: "  ")
    // The verdict stands on one of the first three lines.
    return lines.count > 1 ? lines : lines + [""]
  }

  private func verdict(_ series: FrameFigures) -> [String] {
    guard series.part.activeTime > 0 else {
      return [
        "  NOTHING TO JUDGE   "
          + (series.frameCount == 1
            ? "the frame has no end"
            : "none of the \(Figure.count(series.frameCount, "frame")) has an end")
      ]
    }
    var lines = [
      "  \(band(series.part))   \(ratio(series.part, isApproximate: series.isApproximate)) ms/s "
        + "hitching        \(report.options.scale.text)"
    ]
    if let late = series.hitches.lateness {
      lines += phrases([
        "hitches \(Figure.count(series.hitches.count))",
        "\(Figure.milliseconds(series.part.hitchTime)) ms late",
        "p50 \(Figure.milliseconds(late.median))  p90 \(Figure.milliseconds(late.p90))  "
          + "p99 \(Figure.milliseconds(late.p99))  max \(Figure.milliseconds(late.longest)) ms",
        idle(series),
      ])
      let counts = series.hitches.byIntervals.map { Figure.count($0) }
      lines += phrases([
        "late by up to 1 interval \(counts[0])", "2 intervals \(counts[1])",
        "4 intervals \(counts[2])", "more \(counts[3])",
      ])
    } else {
      lines += phrases(["hitches 0", idle(series)])
    }
    var frozen = "frozen \(Figure.count(series.frozen.count))"
    if series.frozen.count > 0 {
      frozen += " (without: \(Figure.ratio(series.frozen.ratioWithout)) ms/s)"
    }
    return lines
      + phrases([
        frozen, "missed refreshes \(Figure.count(series.missedRefreshes))",
        series.nearMisses.map {
          "near misses \(Figure.count($0.count)) of \(Figure.count($0.known)) in time"
        } ?? "near misses not known: nobody says when frames are ready",
      ])
  }

  private func idle(_ series: FrameFigures) -> String {
    "idle excluded \(Figure.seconds(series.idleTime)) s"
  }

  /// What became of frames on their way to the display, where that is known.
  private func shown(_ series: FrameFigures) -> [String] {
    guard let dropped = series.dropped, let latency = series.latency else { return [] }
    var words = ["dropped 0"]
    if !dropped.isEmpty {
      let numbers = dropped.prefix(8).map { "\($0)" }.joined(separator: ", ")
      words = [
        "dropped \(Figure.count(dropped.count, "frame")): \(numbers)"
          + (dropped.count > 8 ? ", …" : "")
      ]
    }
    if let longest = latency.longest, let behind = latency.behind {
      words.append(
        "behind target, not late: \(Figure.count(latency.frames, "frame")) in "
          + "\(Figure.count(latency.runs.count, "run")), mean \(Figure.milliseconds(latency.mean))  "
          + "max \(Figure.milliseconds(behind.longest)) ms")
      words.append(
        "longest from frame \(longest.firstFrame): \(Figure.count(longest.frames, "frame"))")
    } else {
      words.append("behind target, not late: 0 frames")
    }
    return phrases(words)
  }

  /// The frame times as a picture.
  private func frameTimes(_ series: FrameFigures) -> [String] {
    guard !series.times.isEmpty else { return [] }
    let columns = FrameColumns(series.times, most: min(width - 4, FramesText.mostColumns))
    let each =
      columns.framesEach == 1
      ? "a column is a frame"
      : "a column: the worst of \(Figure.count(columns.framesEach, "frame"))"
    var title = ["\(each)", "█ \(Figure.milliseconds(columns.height)) ms"]
    if columns.isCut { title[1] += " and more" }
    if columns.marks != nil { title.append("^ late") }
    return ["", heading("Frame times", title)] + ["  " + columns.bars(style: style)]
      + (columns.marks.map { ["  " + style.red($0)] } ?? [])
  }

  /// A row of more would be in no text.
  static let mostColumns = 96

  /// A heading with what has to be known to read what is below it.
  func heading(_ words: String, _ phrases: [String]) -> String {
    let rest = shortened(phrases.joined(separator: " · "), to: width - columns(of: words) - 3)
    return style.bold(words) + (phrases.isEmpty ? "" : "   " + rest)
  }

  func phrases(_ phrases: [String]) -> [String] {
    FlamelarkReport.lines(of: phrases, width: width, first: "  ")
  }

  func ratio(_ part: RatioSpread.Part, isApproximate: Bool) -> String {
    (isApproximate ? "~" : "") + Figure.ratio(part.hitchRatio)
  }

  func band(_ part: RatioSpread.Part) -> String {
    switch report.band(of: part) {
    case .good: style.green("GOOD")
    case .warning: style.yellow("WARNING")
    case .critical: style.red("CRITICAL")
    case .immediate: style.red("IMMEDIATE")
    case nil: "NOTHING TO JUDGE"
    }
  }

  func file(_ session: FramesReport.Session) -> String {
    fileName(session.file, columns: width / 2)
  }

  /// The name of a series in quotes.
  func name(_ text: String) -> String {
    "\"\(shortened(PrintableText(text).text, to: width / 4))\""
  }
}
