internal import FlamelarkTrace

extension InfoReport {
  /// What another device did.
  var trackTable: Table? {
    let rows = threads.filter { $0.track.kind == .track }
    guard !rows.isEmpty else { return nil }
    var table = Table([
      .number("spans", least: 6), .number("in spans ms"), .number("depth"),
      .words("track", least: 16),
    ])
    for row in rows.prefix(Self.mostRows) {
      table.append([
        .text(Figure.count(row.track.spans.count)), .text(Figure.milliseconds(row.busy)),
        .text(Figure.count(row.depth)), .text(PrintableText(row.track.name).text),
      ])
    }
    table.appendRest(rows.count - Self.mostRows, of: "track", behind: 3)
    return table
  }

  /// Tasks by the name of their first span: there may be thousands.
  func taskTable(_ links: InfoLinks) -> Table? {
    guard !links.tasks.isEmpty else { return nil }
    var table = Table([
      .number("tasks", least: 6), .number("spans"), .number("in spans ms"), .number("hops"),
      .words("first span", least: 16),
    ])
    for group in links.tasks.prefix(Self.mostGroups) {
      table.append([
        .text(Figure.count(group.rows)), .text(Figure.count(group.spans)),
        .text(Figure.milliseconds(group.busy)),
        .text(group.known > 0 ? Figure.count(group.hops) : "-"),
        .text(PrintableText(group.name).text),
      ])
    }
    table.appendRest(links.tasks.count - Self.mostGroups, of: "name", behind: 4)
    return table
  }

  func waitTable(_ links: InfoLinks) -> Table? {
    guard !links.waits.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("total ms"), .number("longest ms"),
      .number("end not known"), .words("kind"), .words("wait", least: 16),
    ])
    for group in links.waits.prefix(Self.mostGroups) {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.milliseconds(group.time)),
        .text(Figure.milliseconds(group.longest)), .text(Figure.count(group.withoutEnder)),
        .text(group.kind.rawValue), .text(PrintableText(group.name).text),
      ])
    }
    table.appendRest(links.waits.count - Self.mostGroups, of: "name", behind: 5)
    return table
  }

  func flowTable(_ links: InfoLinks) -> Table? {
    guard !links.flows.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("ends"), .number("no begin"), .number("no end"),
      .words("link", least: 16),
    ])
    for group in links.flows.prefix(Self.mostGroups) {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.count(group.ends)),
        .text(Figure.count(group.withoutBegin)), .text(Figure.count(group.withoutEnd)),
        .text(PrintableText(group.name).text),
      ])
    }
    table.appendRest(links.flows.count - Self.mostGroups, of: "name", behind: 4)
    return table
  }

  /// More rows than this are in the JSON alone.
  static let mostRows = 40
  /// More names than this are in the JSON alone.
  static let mostGroups = 12
}

extension Table {
  /// Says how many lines are left out, if some are, in the column behind others.
  mutating func appendRest(_ count: Int, of what: String, behind columns: Int) {
    guard count > 0 else { return }
    append(
      Array(repeating: .text(""), count: columns)
        + [.text("\(Figure.count(count)) more \(what)\(count == 1 ? "" : "s"), in the JSON")])
  }
}
