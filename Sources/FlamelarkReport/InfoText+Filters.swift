internal import FlamelarkTrace

extension InfoReport {
  /// What was left out by whom and when, if one line can't say it.
  var filterTable: Table? {
    let filters = trace.source.filters
    guard filters.count > 1 || filters.contains(where: { !$0.exceptions.isEmpty }) else {
      return nil
    }
    var table = Table([
      .number("from s", least: 6), .number("depth"), .number("at least"), .words("of", least: 16),
    ])
    for (index, filter) in filters.prefix(Self.mostFilters).enumerated() {
      table.append([
        .text(index == 0 ? "start" : Figure.seconds(filter.time, decimals: 3)),
        .text(Figure.count(filter.maximumDepth)), .text(Figure.duration(filter.minimumDuration)),
        .text("all spans"),
      ])
      for exception in filter.exceptions {
        table.append([
          .text(""), .text(exception.maximumDepth.map { Figure.count($0) } ?? "-"),
          .text(exception.minimumDuration.map { Figure.duration($0) } ?? "-"),
          .text("\(exception.subject.rawValue) \(PrintableText(exception.text).text)"),
        ])
      }
    }
    if filters.count > Self.mostFilters {
      let rest = Figure.count(filters.count - Self.mostFilters)
      table.append([.text(""), .text(""), .text(""), .text("\(rest) more changes, in the JSON")])
    }
    return table
  }

  /// A program may change its filters each frame.
  private static let mostFilters = 20
}
