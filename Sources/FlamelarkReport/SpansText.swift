internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension SpansReport {
  /// The report for a person. `top` is how many groups it lists, 20 if nobody says.
  public func text(width: Int = 100, isColored: Bool = false, top: Int? = nil) -> String {
    let style = TextStyle(isColored: isColored)
    var lines = header(width)
    guard !groups.isEmpty else {
      return (lines + ["", "No spans."]).map { $0 + "\n" }.joined()
    }
    let total = "busy \(Figure.milliseconds(statistics.busyTime)) ms = 100 %"
    let title = style.bold("Hot spans") + pad(total, to: min(width, 82) - 9, right: true)
    lines += ["", title] + table(width, top: top ?? 20)
    if let table = valueTable { lines += ["", style.bold("Values")] + table.lines(width: width) }
    let notes = notes
    if !notes.isEmpty {
      lines.append("")
      lines += notes.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func header(_ width: Int) -> [String] {
    var phrases = [PrintableText(file).text]
    let (from, to) = (range.lowerBound, range.upperBound)
    phrases.append(
      options.statistics.range == nil
        ? Figure.duration(to &- from)
        : "\(Figure.seconds(from, decimals: 3)) to \(Figure.seconds(to, decimals: 3)) s")
    let tracks = tracks
    if let only = tracks.first, tracks.count == 1 {
      phrases.append("thread \"\(shortened(PrintableText(only.name).text, to: 40))\"")
    } else {
      let tasks = tracks.count { $0.kind == .task }
      phrases.append(Figure.count(tracks.count - tasks, "thread"))
      if tasks > 0 { phrases.append(Figure.count(tasks, "task")) }
    }
    phrases.append(Figure.count(count, "span"))
    if foldedCount > 0 { phrases.append("\(Figure.count(foldedCount)) folded") }
    return FlamelarkReport.lines(of: phrases, width: width, next: "  ").map(withoutTrailingSpaces)
  }

  /// The columns that give way, the first first, where names have no room.
  private enum Spare: CaseIterable { case p90, total, p99 }

  private func table(_ width: Int, top: Int) -> [String] {
    let shown = Array(groups.prefix(top))
    let longest = shown.map { columns(of: name(of: $0)) }.max() ?? 0
    var left = Spare.allCases[...]
    while true {
      let table = table(shown, with: Set(left))
      if left.isEmpty || table.columnsBeforeLast() + min(max(longest, 16), 32) <= width {
        return table.lines(width: width)
      }
      left.removeFirst()
    }
  }

  private func table(_ shown: [SpanStatistics.Group], with spare: Set<Spare>) -> Table {
    let rest = groups.dropFirst(shown.count)
    let isFolding = foldedCount > 0
    // The lines add up to 100 %, to the busy time and what could not be placed.
    let own = shown.map(\.ownTime) + [rest.reduce(0) { $0 &+ $1.ownTime }]
    let percents = shares(of: 100, among: own.map { max(0, $0) })
    func columns<Column>(
      _ own: Column, _ share: Column, _ count: Column, _ total: Column, _ durations: [Column],
      _ folded: [Column], _ name: Column
    ) -> [Column] {
      [own, share, count] + (spare.contains(.total) ? [total] : []) + [durations[0]]
        + (spare.contains(.p90) ? [durations[1]] : [])
        + (spare.contains(.p99) ? [durations[2]] : []) + [durations[3]]
        + (isFolding ? folded : []) + [name]
    }
    var table = Table(
      columns(
        .number("self ms", least: 8), .number("share"), .number("count", least: 6),
        .number("total ms"), ["p50", "p90", "p99", "max"].map { .number($0, least: 6) },
        [.number("folded"), .number("their ms")],
        .words(options.statistics.grouping == .site ? "span, call site" : "span", least: 16)))
    for (index, group) in shown.enumerated() {
      let durations = group.durations
      table.append(
        columns(
          .text(Figure.milliseconds(group.ownTime)), .text("\(percents[index])%"),
          .text(Figure.count(group.count)),
          .text(group.count > 0 ? Figure.milliseconds(group.total) : "-"),
          [durations?.median, durations?.p90, durations?.p99, group.longest].map {
            .text($0.map { Figure.duration($0) } ?? "-")
          },
          group.foldedCount > 0
            ? [
              .text(Figure.count(group.foldedCount)), .text(Figure.milliseconds(group.foldedTime)),
            ] : [.text("-"), .text("-")],
          group.site == nil ? .path(SpanPath([trace.names[group.name]])) : .text(name(of: group))))
    }
    if !rest.isEmpty {
      let empty = Table.Cell.text("")
      table.append(
        columns(
          .text(Figure.milliseconds(own[shown.count])), .text("\(percents[shown.count])%"),
          .text(Figure.count(rest.reduce(0) { $0 &+ $1.count })), empty,
          [empty, empty, empty, empty],
          [.text(Figure.count(rest.reduce(0) { $0 &+ $1.foldedCount })), empty],
          .text("\(Figure.count(rest.count)) more")))
    }
    return table
  }

  private func name(of group: SpanStatistics.Group) -> String {
    let name = SpanPath([trace.names[group.name]]).text
    guard let place = place(of: group), let file = place.file else { return name }
    return "\(name)  \(PrintableText(file).text)\(place.line > 0 ? ":\(place.line)" : "")"
  }

  /// What the figures don't say by themselves.
  private var notes: [String] {
    var sentences: [String] = []
    if foldedCount > 0 {
      sentences.append(
        "folded: calls below the least duration, summed up while recording; their time is in "
          + "self ms, they are not in count and percentiles")
    }
    if statistics.unplacedTime >= 50_000 {
      sentences.append(
        "\(Figure.milliseconds(statistics.unplacedTime)) ms of folded calls are outside of the "
          + "range or of the spans around them: the lines are that much more than busy")
    }
    if statistics.overDepth > 0 {
      sentences.append(
        "\(Figure.count(statistics.overDepth, "span")) over the greatest depth: "
          + "their time is in the span above")
    }
    if tracks.contains(where: { $0.kind == .task }) {
      sentences.append(
        "spans around await are on rows of tasks: their time goes from begin to end, also where the "
          + "task was suspended")
    }
    if unfinished > 0 {
      sentences.append(
        "\(Figure.count(unfinished, "span")) that had not ended when the recording did: counted, "
          + "not in percentiles and max")
    }
    return sentences
  }
}
