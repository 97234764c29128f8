internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension SpansReport {
  /// The values of spans, for a program.
  func writeValues(to json: inout JSONWriter) {
    json.array("values", of: values.groups) { json, group in
      json.object(onOneLine: true) { json in
        json.member("span", trace.names[group.span])
        if options.statistics.grouping == .site {
          let place = place(ofSite: group.site)
          json.member("file", place?.file)
          json.member("line", place.flatMap { $0.line > 0 ? $0.line : nil })
        }
        json.member("name", trace.names[group.name])
        json.member("count", group.count)
        json.member("sum", group.sum)
        json.member("mean", group.mean)
        json.member("least", group.least)
        json.member("greatest", group.greatest)
      }
    }
  }

  /// The values of spans for a person, nil: there are none.
  var valueTable: Table? {
    guard !values.groups.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("sum"), .number("mean"), .number("greatest"),
      .words("value"), .words("span", least: 16),
    ])
    for group in values.groups.prefix(Self.mostValues) {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.count(group.sum)),
        .text(Figure.mean(group.mean)), .text(Figure.count(group.greatest)),
        .text(shortened(PrintableText(trace.names[group.name]).text, to: 24)),
        .text(text(of: group)),
      ])
    }
    let rest = values.groups.count - Self.mostValues
    if rest > 0 {
      table.append(
        Array(repeating: .text(""), count: 5) + [.text("\(Figure.count(rest)) more, in the JSON")])
    }
    return table
  }

  private static let mostValues = 20

  private func text(of group: ValueStatistics.Group) -> String {
    let name = SpanPath([trace.names[group.span]]).text
    guard let place = place(ofSite: group.site), let file = place.file else { return name }
    return "\(name)  \(PrintableText(file).text)\(place.line > 0 ? ":\(place.line)" : "")"
  }
}

extension Figure {
  /// A mean of whole numbers: `12`, `12.3`, `0.25`.
  static func mean(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return value.description }
    return (value < 0 ? "-" : "") + calls(abs(value))
  }
}
