internal import FlamelarkAnalysis

/// The hitch ratios of activities and of sessions as bars, with what is typical and what is bad.
struct RatioBars {
  private struct Row {
    var label: String
    var words: String
    var spread: RatioSpread
    /// The ratio of each part, for a ring each.
    var parts: [Double]
  }

  private var rows: [Row] = []
  private var leftOut = 0
  private let scale: HitchScale

  private static let mostRows = 40
  private static let mostRings = 500
  private static let rowHeight = 22
  private static let left = 300
  private static let width = 550

  init(_ report: FramesReport) {
    scale = report.options.scale
    for group in report.groups {
      let name = "\"\(shortened(PrintableText(group.name).text, to: 24))\""
      if report.sessions.count > 1 {
        rows.append(
          Row(
            label: "\(name), all sessions", words: Self.words(group.spread), spread: group.spread,
            parts: group.members.map(\.figures.hitchRatio)))
        for member in group.members {
          let spread = RatioSpread([member.figures.part])
          let file = fileName(report.sessions[member.session].file, columns: 42)
          rows.append(Row(label: file, words: Self.words(spread), spread: spread, parts: []))
        }
      }
      for activity in group.activities {
        let spread = activity.spread
        rows.append(
          Row(
            label:
              "\(shortened(PrintableText(activity.name).text, to: 24)), \(Figure.count(activity.occurrences.count))×",
            words: Self.words(spread), spread: spread,
            parts: activity.occurrences.map(\.activity.part).filter { $0.activeTime > 0 }
              .map(\.hitchRatio)))
      }
    }
    leftOut = max(0, rows.count - Self.mostRows)
    rows = Array(rows.prefix(Self.mostRows))
  }

  private static func words(_ spread: RatioSpread) -> String {
    guard spread.count > 0 else { return "no active time" }
    var words = "\(Figure.ratio(spread.pooled.hitchRatio)) ms/s"
    guard spread.count > 1, let median = spread.median, let worst = spread.worst else {
      return words
    }
    words += "  p50 \(Figure.ratio(median))"
    if let p90 = spread.p90 { words += "  p90 \(Figure.ratio(p90))" }
    return words + "  max \(Figure.ratio(worst))"
  }

  /// The pixels that it takes: none without rows.
  var height: Int {
    rows.isEmpty ? 0 : 48 + rows.count * Self.rowHeight + (leftOut > 0 ? 20 : 0) + 10
  }

  func write(at top: Int, to svg: inout XMLText) {
    guard !rows.isEmpty else { return }
    let limits = scale.limits.map { Figure.calls($0) }.joined(separator: ", ")
    svg.label(
      "Hitch ratio in ms/s: a bar is all together, a ring one activity or session; dashed: \(limits)",
      x: 10, y: top + 18, "head")
    let greatest = rows.reduce(scale.limits.last ?? 10) {
      max($0, $1.parts.max() ?? 0, $1.spread.pooled.hitchRatio)
    }
    let first = top + 46
    func x(_ ratio: Double) -> Int64 {
      Int64(Self.left) * 100 + Int64(min(1, ratio / greatest) * Double(Self.width) * 100)
    }
    let bottom = first + rows.count * Self.rowHeight
    let ticks = Ticks(upTo: greatest, most: 8)
    for tick in ticks.values {
      svg.raw(
        "<path class=\"grid\" d=\"M\(FramesPanel.pixels(x(tick))) \(first - 6)V\(bottom)\"/>\n")
      svg.label(ticks.text(tick), x: Int(x(tick) / 100), y: first - 11, "sub mid")
    }
    for limit in scale.limits {
      svg.raw(
        "<path class=\"limit\" d=\"M\(FramesPanel.pixels(x(limit))) \(first - 6)V\(bottom)\"/>\n")
    }
    for (index, row) in rows.enumerated() {
      let y = first + index * Self.rowHeight
      svg.label(row.label, x: Self.left - 8, y: y + 13, "sub end")
      let end = x(row.spread.pooled.hitchRatio)
      let isBad = scale.band(of: row.spread.pooled.hitchRatio) != .good
      svg.raw(
        "<rect class=\"\(isBad ? "late" : "ok")\" x=\"\(Self.left)\" y=\"\(y + 2)\" "
          + "width=\"\(FramesPanel.pixels(max(100, end - Int64(Self.left) * 100)))\" height=\"14\"/>\n"
      )
      for ratio in row.parts.prefix(Self.mostRings) {
        svg.raw(
          "<circle class=\"dot\" cx=\"\(FramesPanel.pixels(x(ratio)))\" cy=\"\(y + 9)\" r=\"3.5\"/>\n"
        )
      }
      svg.label(row.words, x: Self.left + Self.width + 16, y: y + 13, "sub")
    }
    if leftOut > 0 {
      svg.label("\(Figure.count(leftOut)) more left out", x: Self.left, y: bottom + 16, "sub")
    }
  }
}
