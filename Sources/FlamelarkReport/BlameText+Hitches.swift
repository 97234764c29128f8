internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// The latest frames and what made them late.
  func worstHitches(_ series: Judgement) -> [String] {
    let shown = series.worst.prefix(min(top ?? 5, series.worst.count))
    guard !shown.isEmpty else { return [] }
    let hasClock = report.trace.wallClockZero != nil
    // Where there is little room, one time has to do.
    let isWide = width >= 100
    let hasTime = isWide || !hasClock
    var table = Table(
      [.number("frame", least: 6), .number("late ms", least: 7)]
        + (hasTime ? [.number("at s", least: 8)] : [])
        + (hasClock ? [.words("UTC", least: 12)] : [])
        + (isWide ? [.words("kind")] : [])
        + [.number("explained"), .words("main causes", least: 20)])
    let paused = Hitch.Kind.paused
    for hitch in shown {
      table.append(
        [.text("\(hitch.frame.number)"), .text(Figure.milliseconds(hitch.lateness))]
          + (hasTime ? [.text(Figure.seconds(hitch.window.lowerBound, decimals: 3))] : [])
          + (hasClock
            ? [.text(report.trace.wallClock(at: hitch.window.lowerBound)?.time() ?? "-")] : [])
          + (isWide ? [.text(hitch.kind == paused ? "paused" : hitch.kind.rawValue)] : [])
          + [.text("\(Figure.percent(hitch.explained)) %")])
    }
    let room = width - table.columnsBeforeLast() - 2
    table = table.appending { index in
      let hitch = shown[shown.startIndex + index]
      let from = hitch.root < hitch.frame.number ? "frame \(hitch.root): " : ""
      return .text(from + mainCauses(of: hitch, in: series, columns: room - columns(of: from)))
    }
    return ["", style.bold("Worst hitches")] + table.lines(width: width)
  }

  private func mainCauses(of hitch: Hitch, in series: Judgement, columns: Int) -> String {
    let causes = hitch.causes.filter { $0.share >= 0.1 || $0 == hitch.causes.first }.prefix(2)
    return SpanPath.text(
      of: causes.map { (path(of: $0, in: series), " \(Figure.percent($0.share)) %") },
      between: ", ", columns: columns)
  }

  /// Hitches that are alike, where there are several sorts.
  func clusters(_ series: Judgement) -> [String] {
    guard series.clusters.count > 1, series.hitches.count > series.clusters.count else { return [] }
    var table = Table([
      .number("hitches"), .number("late ms", least: 7), .number("share"),
      .number("frames", least: 6), .words("what they have in common", least: 24),
    ])
    let shown = series.clusters.prefix(top ?? 5)
    let rest = series.clusters.dropFirst(shown.count)
    let lateness =
      shown.map(\.lateness) + (rest.isEmpty ? [] : [rest.reduce(0) { $0 + $1.lateness }])
    let percents = shares(of: 100, among: lateness)
    for (index, cluster) in shown.enumerated() {
      let frames = cluster.frames.prefix(3).map { "\($0)" }.joined(separator: " ")
      table.append([
        .text(Figure.count(cluster.frames.count)), .text(Figure.milliseconds(cluster.lateness)),
        .text("\(percents[index])%"), .text(frames + (cluster.frames.count > 3 ? " …" : "")),
      ])
    }
    if let last = lateness.last, !rest.isEmpty {
      table.append([
        .text(Figure.count(rest.reduce(0) { $0 + $1.frames.count })),
        .text(Figure.milliseconds(last)), .text("\(percents[shown.count])%"), .text(""),
      ])
    }
    let room = width - table.columnsBeforeLast()
    let loop = report.trace.loopRole(of: series.frames.series)
    table = table.appending { index in
      .text(
        index < shown.count
          ? LikeHitches(shown[index], of: series.hitches).text(columns: room, loop: loop)
          : Figure.count(rest.count, "more sort"))
    }
    return ["", style.bold("Similar hitches")] + table.lines(width: width)
  }

  /// What the program itself called a hitch.
  func markedHitches(_ series: Judgement) -> [String] {
    guard !series.marked.isEmpty else { return [] }
    var table = Table([
      .number("frame", least: 6), .number("late ms", least: 8), .number("at s", least: 8),
      .words("reason", least: 20),
    ])
    let shown = series.marked.prefix(top ?? 5)
    for mark in shown {
      table.append([
        .text("\(mark.frame)"),
        .text(series.lateness(ofFrame: mark.frame).map { Figure.milliseconds($0) } ?? "-"),
        .text(Figure.seconds(mark.time, decimals: 3)),
        .text(PrintableText(report.trace.names[mark.reason]).text),
      ])
    }
    let rest = series.marked.count - shown.count
    let more = rest > 0 ? ["  and \(Figure.count(rest)) more"] : []
    return ["", style.bold("Marked by the program") + "  (they change no figure)"]
      + table.lines(width: width) + more
  }
}
