internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension FramesText {
  /// Several files: what is typical of them, then each on a line.
  var overSessions: [String] {
    guard let worst = report.worst else { return [] }
    var head = [Figure.count(report.sessions.count, "session")]
    if report.groups.count > 1 {
      head.append(Figure.count(report.groups.count, "frame series", "frame series"))
    }
    head += report.phrases
    var lines = FlamelarkReport.lines(of: head, width: width, next: "  ")
    if lines.count == 1 { lines.append("") }
    let place = report.groups.count > 1 ? " in the worst series, \(name(worst.name))" : ""
    lines.append("  \(verdict(of: worst)) over all sessions\(place)")
    lines.append("  \(report.options.scale.text)")
    for group in report.groups { lines += of(group) }
    for group in report.groups {
      for member in group.members where member.figures.byRule != nil {
        let file = PrintableText(report.sessions[member.session].file).text
        lines += ["", heading("\(file) · series \(name(group.name))", [])]
        lines += byRule(member.figures).dropFirst()
      }
    }
    return lines + notMeasured(report.groups.flatMap { $0.members.map(\.figures) })
  }

  private func of(_ group: FramesReport.Group) -> [String] {
    let spread = group.spread
    func text(_ value: Double?) -> String { value.map { Figure.ratio($0) } ?? "-" }
    var words = [
      "pooled \(ratio(spread.pooled, isApproximate: group.isApproximate))",
      "p50 \(text(spread.median))",
    ]
    words.append(
      spread.p90.map { "p90 \(Figure.ratio($0))" }
        ?? "no p90: n = \(spread.count), less than \(RatioSpread.leastForP90)")
    words.append("worst \(text(spread.worst)) ms/s")
    var table = Table([
      .words("band", least: 8), .number("ms/s", least: 6), .number("hitches"), .number("frames"),
      .number("active"), .number("fps"), .number("1 % low"), .words("session", least: 16),
    ])
    for member in group.members {
      let figures = member.figures
      // The band's word, without colour: a table counts columns.
      table.append([
        .text(report.band(of: figures.part)?.rawValue.uppercased() ?? "-"),
        .text(ratio(figures.part, isApproximate: figures.isApproximate)),
        .text(Figure.count(figures.hitches.count)), .text(Figure.count(figures.frameCount)),
        .text(Figure.seconds(figures.part.activeTime) + " s"),
        .text(figures.rate.mean.map { FramesText.rate($0) } ?? "-"),
        .text(
          figures.lows.first.map { FramesText.rate(FrameLow.framesPerSecond($0.timeIntegral)) }
            ?? "-"),
        .text(PrintableText(report.sessions[member.session].file).text),
      ])
    }
    return ["", heading("Series \(name(group.name))", ["1 % low: time-integral"])] + phrases(words)
      + table.lines(width: width) + activities(group.activities)
  }

  /// What makes the figures trustworthy, or less so.
  func checks(_ series: FrameFigures, of session: FramesReport.Session) -> [String] {
    var words = ["targets estimated \(Figure.count(series.estimatedTargets))"]
    if series.isApproximate {
      words[0] += " of \(Figure.count(series.frameCount)): give --refresh HZ"
    }
    words.append("lost records \(Figure.count(Unmeasured(in: session.head).lost))")
    if series.cutFrames > 0 {
      words.append("\(Figure.count(series.cutFrames, "frame")) cut off, not judged")
    }
    if let untold = series.untold, untold > 0 {
      words.append(
        "\(Figure.count(untold, "frame")) of which nobody told whether they were shown")
    }
    return [""]
      + FlamelarkReport.lines(of: words, width: width, first: "Checks   ").enumerated().map {
        $0 == 0 ? style.bold("Checks") + $1.dropFirst(6) : $1
      }
  }

  /// What the figures leave out.
  func notMeasured(_ series: [FrameFigures]) -> [String] {
    guard series.contains(where: { $0.mode != .presented }) else { return [] }
    return ["", style.bold("Not measured")]
      + wrapped(
        "when frames were shown: frame times are those of the program", width: width, first: "  - ",
        next: "    ")
  }
}
