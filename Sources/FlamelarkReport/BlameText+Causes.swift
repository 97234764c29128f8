internal import FlamelarkAnalysis

extension BlameText {
  /// The table of causes. Its lines add up to the verdict and to 100 %.
  func causes(_ series: Judgement) -> [String] {
    guard !series.hitches.isEmpty else { return [] }
    let rows = rows(series)
    let ratio = Figure.hundredths(series.frames.hitchRatio)
    let ratios = shares(of: ratio, among: rows.map(\.blame))
    let percents = shares(of: 100, among: rows.map(\.blame))
    let isWide = width >= 100
    let hasReplay = series.causes.contains { $0.ratioIfNormal != nil }
    func columns<Column>(
      _ first: [Column], _ wide: [Column], _ middle: [Column], _ replay: Column, _ last: Column
    ) -> [Column] {
      first + (isWide ? wide : []) + middle + (hasReplay ? [replay] : []) + [last]
    }
    var table = Table(
      columns(
        [.number("#", least: 2), .number("ms/s", least: 5), .number("share", least: 5)],
        [.number("90% CI", least: 6), .number("top in", least: 6)],
        [
          .number("normal->hitch", least: isWide ? 15 : 13), .words("why", least: isWide ? 12 : 9),
        ],
        .number("if normal"), .words("cause", least: 20)))
    for (index, row) in rows.enumerated() {
      table.append(
        columns(
          [
            .text(row.rank.map { "\($0)" } ?? ""),
            .text(Figure.decimal(ratios[index], decimals: 2)), .text("\(percents[index])%"),
          ],
          [
            .text(row.cause.map { interval(of: $0, in: series) } ?? ""),
            .text(row.cause.map { Figure.count($0.topCount) } ?? ""),
          ],
          [.text(row.change), .text(row.why)],
          .text(row.cause.map { $0.ratioIfNormal.map { Figure.ratio($0) } ?? "-" } ?? ""),
          .text("")
        ).dropLast())
    }
    let names = names(of: rows, columns: max(width - table.columnsBeforeLast(), 12), in: series)
    table = table.appending { .text(names[$0]) }
    table.appendRule(columns: 3)
    table.append([.text(""), .text(Figure.decimal(ratio, decimals: 2)), .text("100%")])
    var lines = table.lines(width: width)
    if hasReplay, let together = together(series) {
      let end = table.columnsBeforeLast() - 2
      let total = lines.removeLast()
      lines.append(
        total + pad(together, to: end - FlamelarkReport.columns(of: total), right: true))
    }
    let total =
      "\(Figure.milliseconds(series.frames.hitchTime)) ms late = 100 % = "
      + "\(Figure.decimal(ratio, decimals: 2)) ms/s"
    let title = style.bold("Blame") + pad(total, to: min(width, 82) - 5, right: true)
    return ["", title] + lines
  }

  /// In what part of all lateness nine of ten resamples lie; how many hitches where they are too few.
  private func interval(of cause: Cause, in series: Judgement) -> String {
    guard let blame = cause.confidence?.blame else {
      return series.hitches.count < 5 ? "n=\(series.hitches.count)" : "-"
    }
    func percent(_ part: Int64) -> Int64 {
      Figure.percent(Double(part) / Double(max(1, series.frames.hitchTime)))
    }
    return "\(percent(blame.lowerBound))-\(percent(blame.upperBound))%"
  }

  /// What the first three causes cost together.
  private func together(_ series: Judgement) -> String? {
    guard let ratio = series.ratioIfFirstThreeNormal, series.frames.hitchRatio > 0 else {
      return nil
    }
    let change = Figure.percent(ratio / series.frames.hitchRatio - 1)
    return "   1-3 together: \(Figure.ratio(ratio)) ms/s (\(change > 0 ? "+" : "")\(change) %)"
  }

  private struct Row {
    var rank: Int?
    var blame: Int64
    var cause: Cause?
    var change = ""
    var why = ""
    /// What it is, where it is no single cause.
    var name = ""
  }

  /// What the rows are called; no two look the same, where there is room for that.
  private func names(of rows: [Row], columns: Int, in series: Judgement) -> [String] {
    let causes = rows.compactMap(\.cause)
    let texts = SpanPath.apart(causes.map { path(of: $0, in: series) }, columns: columns)
    return texts + rows.dropFirst(texts.count).map { shortened($0.name, to: columns) }
  }

  private func rows(_ series: Judgement) -> [Row] {
    let ranked = series.causes.filter { $0.kind != .other && $0.blame > 0 }.enumerated()
    let asked = ranked.filter { isAsked($0.element, in: series) }
    // A row that would show 0 % says nothing, unless it was asked for.
    let shown = asked.prefix(top ?? 10).prefix { top != nil || $0.element.share >= 0.005 }
    var rows = shown.map { index, cause in
      Row(
        rank: index + 1, blame: cause.blame, cause: cause,
        change: cause.kind == .backlog ? "" : cause.change, why: cause.reasonFigure)
    }
    func append(_ rest: [Cause], _ name: String) {
      let blame = rest.reduce(0) { $0 + $1.blame }
      if blame > 0 { rows.append(Row(blame: blame, name: name)) }
    }
    let rest = asked.dropFirst(shown.count).map(\.element)
    append(rest, Figure.count(rest.count, "more cause"))
    let elsewhere = ranked.map(\.element).filter { !isAsked($0, in: series) }
    append(elsewhere, "\(Figure.count(elsewhere.count, "cause")) elsewhere")
    append(series.causes.filter { $0.kind == .other }, "other variation")
    return rows
  }
}
