internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension CompareReport {
  /// The report for a person. `top` is how many causes and spans are listed, 10 and 8 if nil.
  public func text(width: Int = 100, isColored: Bool = false, top: Int? = nil) -> String {
    CompareText(report: self, width: width, style: TextStyle(isColored: isColored), top: top)
      .lines.map { $0 + "\n" }.joined()
  }
}

/// The text of a comparison: the verdict, the sets, causes, overruns, spans.
struct CompareText {
  let report: CompareReport
  let width: Int
  let style: TextStyle
  let top: Int?

  private var comparison: Comparison { report.comparison }

  var lines: [String] {
    verdict + sets + causes + overruns + spans + notes
  }

  private var verdict: [String] {
    let ratio = comparison.ratio
    let figures = "\(Figure.ratio(ratio.a)) -> \(Figure.ratio(ratio.b)) ms/s"
    let word =
      switch comparison.verdict {
      case .better: style.green(report.verdictWord)
      case .worse: style.red(report.verdictWord)
      case .noChange, .unknown: style.yellow(report.verdictWord)
      }
    var lines: [String] = []
    let whole = "\(report.verdictWord)   \(figures)   \(report.changePhrase)"
    if columns(of: whole) <= width {
      lines.append("\(word)   \(figures)   \(report.changePhrase)")
    } else {
      lines += ["\(word)   \(figures)", "  \(report.changePhrase)"]
    }
    if let reason = report.reason {
      let path = SpanPath(of: reason.cause.signature)
      let whole = "  why      \(path.text) \(reason.phrase): \(reason.figures)"
      if columns(of: whole) <= width {
        lines.append(whole)
      } else {
        let room = max(width - 12 - columns(of: reason.phrase), 16)
        lines.append("  why      \(path.text(columns: room)) \(reason.phrase):")
        lines.append("           \(reason.figures)")
      }
    }
    let bands = [ratio.a, ratio.b].map { report.options.scale.band(of: $0).rawValue.uppercased() }
    lines.append(
      "  scale    \(bands[0] == bands[1] ? bands[0] + " before and after" : bands.joined(separator: " -> "))"
        + " (\(report.options.scale.text))")
    return lines
  }

  private var sets: [String] {
    var lines = [""]
    for (name, runs, files) in [("A", comparison.a, report.a), ("B", comparison.b, report.b)] {
      let active = runs.reduce(Int64(0)) { $0 &+ $1.activeTime }
      let phrases = [
        Figure.count(runs.count, "run"), Figure.duration(active),
        Figure.count(runs.reduce(0) { $0 + $1.frameCount }, "frame"),
        Figure.count(runs.reduce(0) { $0 + $1.hitchCount }, "hitch", "hitches"),
        names(files),
      ]
      lines += FlamelarkReport.lines(of: phrases, width: width, first: "  \(name)   ")
    }
    let selection = report.options.selection
    if let activity = selection.activity {
      lines.append("      in \"\(shortened(PrintableText(activity).text, to: 32))\"")
    }
    if selection.skip != nil || selection.range != nil {
      lines.append("      of the part of each run that --from, --to and --skip leave")
    }
    if let sentence = report.leastSeenSentence {
      lines += wrapped(sentence, width: width, first: "  ", next: "  ")
    }
    return lines
  }

  private func names(_ files: [String]) -> String {
    let first = files.first.map { fileName($0, columns: width / 3) } ?? ""
    guard files.count > 1, let last = files.last else { return first }
    return "\(first) … \(fileName(last, columns: width / 3))"
  }

  private var causes: [String] {
    let (shown, rest) = report.shownCauses(top: top)
    guard !shown.isEmpty || comparison.ratio.a + comparison.ratio.b > 0 else { return [] }
    let isWide = width >= 100
    var table = Table(
      [.number("A ms/s", least: 6), .number("B ms/s", least: 6), .number("change", least: 7)]
        + (isWide ? [.number("interval", least: 16)] : [])
        + [.words("verdict", least: 12), .words("cause", least: 20)])
    for change in shown {
      let interval = change.interval.map { Signed.range($0) } ?? "-"
      table.append(
        figures(of: change.blame) + (isWide ? [.text(interval)] : [])
          + [.text(change.verdict.mark), .path(SpanPath(of: change.signature))])
    }
    let sums = (
      rest.reduce(0.0) { $0 + $1.blame.a }, rest.reduce(0.0) { $0 + $1.blame.b }
    )
    if !rest.isEmpty, sums.0 + sums.1 > 0 {
      table.append(
        [
          .text(Figure.ratio(sums.0)), .text(Figure.ratio(sums.1)),
          .text(Signed.ratio(sums.1 - sums.0)),
        ] + (isWide ? [.text("")] : [])
          + [.text(""), .text(Figure.count(rest.count, "more cause"))])
    }
    table.appendRule(columns: 3)
    table.append(figures(of: comparison.ratio))
    return ["", style.bold("Causes")] + table.lines(width: width)
  }

  private func figures(of difference: Difference) -> [Table.Cell] {
    [
      .text(Figure.ratio(difference.a)), .text(Figure.ratio(difference.b)),
      .text(Signed.ratio(difference.change)),
    ]
  }

  private var overruns: [String] {
    let (a, b) = report.overruns
    guard let distance = a.distance(to: b) else { return [] }
    let isByRun = comparison.unit == .run
    var table = Table(
      [
        .words("", least: 3), .number("A", least: 6), .number("B", least: 6),
        .number("change", least: 7),
      ] + (isByRun ? [.words("interval", least: 16)] : []))
    for (name, percent) in [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)] {
      let difference = percent < 100 ? comparison.overruns(percentile: percent) : nil
      guard
        let first = difference.map({ whole($0.a) }) ?? a.percentile(percent),
        let second = difference.map({ whole($0.b) }) ?? b.percentile(percent)
      else { continue }
      let interval = difference?.interval().map {
        "\(Signed.milliseconds(whole($0.lowerBound))) to \(Signed.milliseconds(whole($0.upperBound)))"
      }
      table.append(
        [
          .text(name), .text(Signed.milliseconds(first)), .text(Signed.milliseconds(second)),
          .text(Signed.milliseconds(second.subtractingReportingOverflow(first).partialValue)),
        ] + (isByRun ? [.text(interval ?? "")] : []))
    }
    let title = isByRun ? "; p50 to p99: mean of the runs" : ""
    let apart =
      "a frame differs by \(Figure.milliseconds(whole(distance.mean))) ms on average; furthest apart at "
      + "\(Signed.milliseconds(distance.place)) ms, by \(Figure.percent(distance.widest)) % of frames"
    return ["", style.bold("Overrun") + ": end - target of each frame, in ms" + title]
      + table.lines(width: width) + [""] + bars
      + wrapped(apart, width: width, first: "  ", next: "  ")
  }

  private func whole(_ value: Double) -> Int64 {
    Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }

  /// Which part of the frames was done when, side by side.
  private var bars: [String] {
    let parts = report.overrunParts()
    let room = (width - 34) / 2
    let greatest = parts.map { max($0.a, $0.b) }.max() ?? 0
    func bar(_ share: Double) -> String {
      guard share > 0, greatest > 0 else { return "" }
      return String(repeating: "=", count: max(1, Int((Double(room) * share / greatest).rounded())))
    }
    return parts.map { part in
      withoutTrailingSpaces(
        "  " + pad(part.name, to: 10, right: true) + "  "
          + pad(tenths(part.a), to: 5, right: true) + "% " + pad(bar(part.a), to: room) + "  "
          + pad(tenths(part.b), to: 5, right: true) + "% " + bar(part.b))
    }
  }

  private func tenths(_ share: Double) -> String {
    Figure.decimal(Figure.rounded(Figure.hundredths(share * 100), to: 10), decimals: 1)
  }

  private var spans: [String] {
    let shown = report.shownSpans(top: top)
    guard !shown.isEmpty else { return [] }
    let isWide = width >= 100
    var table = Table(
      [.number("A ms/s", least: 6), .number("B ms/s", least: 6), .number("change", least: 7)]
        + (isWide ? [.number("interval", least: 16)] : [])
        + [.words("verdict", least: 12), .words("span", least: 20)])
    for span in shown {
      let isLess = span.time.change < 0
      table.append(
        figures(of: span.time)
          + (isWide ? [.text(span.interval.map { Signed.range($0) } ?? "-")] : [])
          + [
            .text(span.differs ? isLess ? "less" : "more" : "-"),
            .path(SpanPath([span.name])),
          ])
    }
    return ["", style.bold("Self time") + " of spans, in ms for each second of active time"]
      + table.lines(width: width)
  }

  private var notes: [String] {
    let notes = report.notes
    guard !notes.isEmpty else { return [] }
    return ["", style.bold("Notes")]
      + notes.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
  }
}

extension SpanPath {
  /// The path of a cause that several traces have.
  init(of signature: CauseSignature) {
    self.init(
      signature.path, of: signature.kind, on: signature.thread, loop: "the loop")
  }
}
