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
    var table = Table(
      [.number("#", least: 2), .number("ms/s", least: 5), .number("share", least: 5)]
        + (isWide ? [.number("top in", least: 6)] : [])
        + [
          .number("normal->hitch", least: 15), .words("why", least: 12),
          .words("cause", least: 20),
        ])
    for (index, row) in rows.enumerated() {
      table.append(
        [
          .text(row.rank.map { "\($0)" } ?? ""),
          .text(Figure.decimal(ratios[index], decimals: 2)), .text("\(percents[index])%"),
        ]
          + (isWide ? [.text(row.cause.map { Figure.count($0.topCount) } ?? "")] : [])
          + [.text(row.change), .text(row.why), row.name])
    }
    table.appendRule(columns: 3)
    table.append([.text(""), .text(Figure.decimal(ratio, decimals: 2)), .text("100%")])
    let total =
      "\(Figure.milliseconds(series.frames.hitchTime)) ms late = 100 % = "
      + "\(Figure.decimal(ratio, decimals: 2)) ms/s"
    let title = style.bold("Blame") + pad(total, to: min(width, 82) - 5, right: true)
    return ["", title] + table.lines(width: width)
  }

  private struct Row {
    var rank: Int?
    var blame: Int64
    var cause: Cause?
    var change = ""
    var why = ""
    var name: Table.Cell
  }

  private func rows(_ series: Judgement) -> [Row] {
    let named = series.causes.filter { $0.kind != .other && $0.blame > 0 }
    // A row that would show 0 % says nothing, unless it was asked for.
    let shown = named.prefix(top ?? 10).prefix { top != nil || $0.share >= 0.005 }
    var rows = shown.enumerated().map { index, cause in
      Row(
        rank: index + 1, blame: cause.blame, cause: cause, change: change(of: cause),
        why: CauseReason(of: cause).label, name: .path(SpanPath(of: cause)))
    }
    let rest = named.dropFirst(shown.count)
    if !rest.isEmpty {
      rows.append(
        Row(
          blame: rest.reduce(0) { $0 + $1.blame },
          name: .text(Figure.count(rest.count, "more cause"))))
    }
    let other = series.causes.filter { $0.kind == .other }.reduce(0) { $0 + $1.blame }
    if other > 0 { rows.append(Row(blame: other, name: .text("other variation"))) }
    return rows
  }

  /// What a cause takes in good frames and in late ones: `3.2 -> 24.5 ms`.
  func change(of cause: Cause) -> String {
    let isNew = cause.normalTime == 0 && cause.normalCalls == 0
    let normal = isNew ? "-" : Figure.milliseconds(cause.normalTime)
    return "\(normal) -> \(Figure.milliseconds(cause.lateTime)) ms"
  }
}

extension SpanPath {
  /// The path of a cause, or what stands for it.
  init(of cause: Cause) {
    switch cause.kind {
    case .span: self.init(cause.path)
    case .folded: self.init(cause.path + ["(short calls)"])
    case .uninstrumented: self.init(cause.path + ["(uninstrumented)"])
    case .preempted, .blocked, .queued: self.init(cause.path + ["(\(cause.kind.rawValue))"])
    case .backlog: self.init(["(backlog)"])
    case .other: self.init(["other variation"])
    }
  }
}
