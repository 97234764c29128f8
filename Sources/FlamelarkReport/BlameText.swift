internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameReport {
  /// The report for a person.
  ///
  /// `top` is how many causes the table lists, 10 if nil, and how many of the worst hitches, 5.
  public func text(width: Int = 100, isColored: Bool = false, top: Int? = nil) -> String {
    BlameText(report: self, width: width, style: TextStyle(isColored: isColored), top: top)
      .lines.map { $0 + "\n" }.joined()
  }
}

/// The text of a blame report: the verdict, the causes, the worst hitches, the checks.
struct BlameText {
  let report: BlameReport
  let width: Int
  let style: TextStyle
  let top: Int?

  var lines: [String] {
    var lines: [String] = []
    if report.series.count > 1 { lines += overview }
    for series in report.series {
      if !lines.isEmpty { lines.append("") }
      lines += header(series)
      lines += verdict(series)
      lines += advice(series)
      lines += causes(series)
      lines += blocks(series)
      lines += worstHitches(series)
      lines += clusters(series)
      lines += markedHitches(series)
      lines += checks(series)
    }
    return lines + notMeasured
  }

  /// Several series are not added up: the worst is the verdict.
  private var overview: [String] {
    guard let worst = report.worst else { return [] }
    let ratio = worst.frames.hitchRatio
    return [
      "\(file) · \(Figure.count(report.series.count, "frame series", "frame series"))"
        + report.options.selection.phrases(in: report.trace).map { " · " + $0 }.joined(),
      "",
      "  \(band(ratio))   \(ratioText(worst)) in the worst series, \(name(worst))"
        + "   \(report.options.scale.text)",
    ]
  }

  private func header(_ series: Judgement) -> [String] {
    let frames = series.frames
    var phrases = report.series.count > 1 ? [] : [file]
    phrases += [
      "series \(name(series))", "mode \(frames.series.mode.rawValue)",
      Figure.duration(frames.activeTime), Figure.count(frames.frames.count, "frame"),
    ]
    if let rates = ratesText(frames) { phrases.append(rates) }
    if report.series.count == 1 { phrases += report.options.selection.phrases(in: report.trace) }
    if let threads = report.options.threads {
      let names = threads.sorted().map { "\"\(shortened(PrintableText($0).text, to: width / 4))\"" }
      let rest = names.count > 2 ? " and \(Figure.count(names.count - 2)) more" : ""
      phrases.append("causes on \(names.prefix(2).joined(separator: ", "))\(rest)")
    }
    let lines = FlamelarkReport.lines(of: phrases, width: width, next: "  ")
    // The verdict stands on one of the first three lines.
    return lines.count > 1 ? lines : lines + [""]
  }

  private func verdict(_ series: Judgement) -> [String] {
    let frames = series.frames
    let band = band(frames.hitchRatio)
    var lines: [String] = []
    if series.hitches.isEmpty {
      lines.append("  \(band) 0.00 ms/s, no hitches in \(Figure.duration(frames.activeTime))")
      if frames.idleTime > 0 {
        lines.append("  idle excluded \(Figure.seconds(frames.idleTime)) s")
      }
    } else {
      lines.append(
        "  \(band)   \(ratioText(series)) hitching        \(report.options.scale.text)")
      let late = [50, 90, 100].map { Figure.milliseconds(series.lateness(percentile: $0)) }
      var frozen = "frozen \(Figure.count(series.frozen))"
      if series.frozen > 0 {
        frozen += " (without: \(Figure.ratio(series.ratioWithoutFrozen)) ms/s)"
      }
      lines += FlamelarkReport.lines(
        of: [
          "hitches \(Figure.count(series.hitches.count))",
          "\(Figure.milliseconds(frames.hitchTime)) ms late",
          "p50 \(late[0])  p90 \(late[1])  max \(late[2]) ms", frozen,
          "idle excluded \(Figure.seconds(frames.idleTime)) s",
        ], width: width, first: "  ")
    }
    lines += shown(series)
    let good = series.goodFrameTime
    if series.goodFrames > 0, !frames.rates.isEmpty, series.tellsWorkFromWaiting {
      lines.append(
        "  headroom   good frames take \(Figure.milliseconds(good.median)) ms "
          + "(p95 \(Figure.milliseconds(good.p95))) of \(budgetsText(frames)) ms")
    }
    return lines
  }

  private func ratioText(_ series: Judgement) -> String {
    (series.isApproximate ? "~" : "") + Figure.ratio(series.frames.hitchRatio) + " ms/s"
  }

  private func band(_ ratio: Double) -> String {
    switch report.options.scale.band(of: ratio) {
    case .good: style.green("GOOD")
    case .warning: style.yellow("WARNING")
    case .critical: style.red("CRITICAL")
    case .immediate: style.red("IMMEDIATE")
    }
  }

  private func ratesText(_ frames: JudgedFrames) -> String? {
    guard let fastest = frames.rates.first, let slowest = frames.rates.last else { return nil }
    var text =
      frames.rates.count <= 4
      ? frames.rates.reversed().map { Figure.hertz($0) }.joined(separator: "/") + " Hz"
      : "\(frames.rates.count) rates from \(Figure.hertz(slowest)) to \(Figure.hertz(fastest)) Hz"
    if frames.rateChanges > 0 { text += ", \(Figure.count(frames.rateChanges, "rate change"))" }
    return text
  }

  private func budgetsText(_ frames: JudgedFrames) -> String {
    frames.rates.count <= 4
      ? frames.rates.reversed().map { Figure.milliseconds($0) }.joined(separator: " / ")
      : [frames.rates.last, frames.rates.first].compactMap { $0.map { Figure.milliseconds($0) } }
        .joined(separator: " … ")
  }

  private var file: String { fileName(report.file, columns: width / 2) }

  /// The path of a cause, with its thread.
  func path(of cause: Cause, in series: Judgement) -> SpanPath {
    SpanPath(of: cause, loop: report.trace.loopRole(of: series.frames.series))
  }

  /// Whether a cause is on a thread that was asked for.
  func isAsked(_ cause: Cause, in series: Judgement) -> Bool {
    guard let threads = report.options.threads else { return true }
    if cause.kind == .backlog || cause.kind == .other { return false }
    return threads.contains(cause.thread ?? report.trace.loopRole(of: series.frames.series))
  }

  /// The name of a series in quotes.
  func name(_ series: Judgement) -> String {
    "\"\(shortened(PrintableText(series.name).text, to: width / 4))\""
  }
}
