/// A flame graph as one SVG file: it needs no network, and without its script it shows all that fits.
///
/// The root is on top. A box is as wide as its time; its children lie under its left part, what it has
/// itself is the part that nothing lies under. Names come from files that anybody may have written:
/// they stand in the file as escaped text alone, never in its script.
public struct FlameGraph: Sendable {
  /// What it draws.
  public let tree: FlameTree
  /// The file, for a second line of its head.
  public let subtitle: String

  /// A picture of a tree.
  public init(_ tree: FlameTree, subtitle: String) {
    self.tree = tree
    self.subtitle = subtitle
  }

  /// Boxes narrower than this are left out, in hundredths of a pixel.
  private static let least: Int64 = 10
  /// Boxes deeper than this are left out.
  private static let mostDepth = 500
  /// Of the picture without its margins, in hundredths of a pixel.
  private static let width: Int64 = 118_000
  private static let margin: Int64 = 1_000
  private static let rowHeight = 18
  private static let top = 74

  /// A node at its place.
  struct Box {
    var node: Int
    /// Hundredths of a pixel from the left margin.
    var from: Int64
    var to: Int64
  }

  /// The boxes that are wide enough, and how many are not.
  func boxes() -> (boxes: [Box], leftOut: Int) {
    let total = max(1, tree.nodes.first?.total ?? 0)
    var boxes: [Box] = []
    var leftOut = 0
    // For each depth: where the next child begins, in nanoseconds.
    var next: [Int64] = [0]
    for (index, node) in tree.nodes.enumerated() {
      if node.depth + 2 > next.count {
        next += Array(repeating: 0, count: node.depth + 2 - next.count)
      }
      let start = next[node.depth]
      next[node.depth] = start + node.total
      next[node.depth + 1] = start
      let (from, to) = (Self.place(start, total), Self.place(start + node.total, total))
      if to - from < Self.least || node.depth > Self.mostDepth {
        leftOut += 1
      } else {
        boxes.append(Box(node: index, from: from, to: to))
      }
    }
    return (boxes, leftOut)
  }

  /// Both ends of a box are rounded in one way, so neighbours neither overlap nor leave a gap.
  private static func place(_ time: Int64, _ total: Int64) -> Int64 {
    let time = UInt64(min(max(0, time), total))
    let product = time.multipliedFullWidth(by: UInt64(width))
    return Int64(UInt64(total).dividingFullWidth(product).quotient)
  }

  /// The file.
  public func svg() -> [UInt8] {
    let (boxes, leftOut) = boxes()
    let depth = boxes.reduce(0) { max($0, tree.nodes[$1.node].depth) }
    let legendY = Self.top + (depth + 1) * Self.rowHeight + 24
    let height = legendY + 44
    var svg = XMLText()
    svg.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 \(height)" width="1200" \
      height="\(height)" role="img" aria-label="
      """)
    svg.text(([tree.title] + tree.phrases).joined(separator: ", "))
    svg.raw("\">\n<style><![CDATA[\n\(FlameGraphStyle.css)]]></style>\n")
    svg.raw(
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n<text class=\"title\" x=\"10\" y=\"24\">"
    )
    let total = tree.nodes.first?.total ?? 0
    svg.text(shortened(tree.title, to: 80))
    svg.raw("</text>\n<text class=\"sub\" x=\"10\" y=\"44\">")
    // The button stands behind some 116 columns.
    let phrases = tree.phrases + ["\(Figure.milliseconds(total)) ms \(tree.unit) = 100 %"]
    let rest = shortened(phrases.joined(separator: " · "), to: 96)
    svg.text("\(fileName(subtitle, columns: 113 - columns(of: rest))) · \(rest)")
    svg.raw("</text>\n<text class=\"sub\" id=\"info\" x=\"10\" y=\"62\"> </text>\n")
    svg.raw(FlameGraphStyle.controls)
    svg.raw("<g id=\"nodes\">\n")
    for box in boxes { write(box, of: total, to: &svg) }
    svg.raw("</g>\n")
    writeLegend(boxes, y: legendY, to: &svg)
    if leftOut > 0 {
      svg.raw("<text class=\"sub\" x=\"10\" y=\"\(legendY + 32)\">")
      svg.text(
        "\(Figure.count(leftOut, "box", "boxes")) narrower than 0.1 px or deeper than "
          + "\(Self.mostDepth) left out")
      svg.raw("</text>\n")
    }
    svg.raw("<script><![CDATA[\n\(FlameGraphStyle.script)]]></script>\n</svg>\n")
    return svg.bytes
  }

  private func write(_ box: Box, of total: Int64, to svg: inout XMLText) {
    let node = tree.nodes[box.node]
    let name = SpanPath([node.name])
    let y = Self.top + node.depth * Self.rowHeight
    let share = Double(node.total) / Double(max(1, total)) * 100
    svg.raw("<g class=\"n \(FlameGraphStyle.colour(of: node).rawValue)\"><title>")
    svg.text(name.text)
    svg.raw("\n")
    svg.text(
      "\(Figure.milliseconds(node.total, decimals: 3)) ms, \(Figure.ratio(share)) %"
        + (node.own > 0 && node.own < node.total
          ? "; itself \(Figure.milliseconds(node.own, decimals: 3)) ms" : ""))
    svg.raw(
      "</title><rect x=\"\(Self.pixels(box.from + Self.margin))\" y=\"\(y)\" "
        + "width=\"\(Self.pixels(box.to - box.from))\" height=\"17\" "
        + "data-t=\"\(node.total)\" data-o=\"\(node.own)\"/>")
    // 6.6 pixels a column, 3 on each side.
    let room = Int((box.to - box.from - 600) / 660)
    if room >= 3 {
      let label = name.text(columns: room)
      svg.raw("<text x=\"\(Self.pixels(box.from + Self.margin + 300))\" y=\"\(y + 13)\">")
      svg.text(label)
      svg.raw("</text>")
    }
    svg.raw("</g>\n")
  }

  private func writeLegend(_ boxes: [Box], y: Int, to svg: inout XMLText) {
    var x = 10
    var used = Set(boxes.map { FlameGraphStyle.colour(of: tree.nodes[$0.node]) })
    // Spans have two shades, so that neighbours differ.
    if used.contains(.span) { used.remove(.spanToo) }
    for colour in FlameGraphStyle.Colour.allCases where used.contains(colour) {
      svg.raw(
        "<g class=\"\(colour.rawValue)\"><rect x=\"\(x)\" y=\"\(y - 10)\" width=\"12\" height=\"12\"/>"
          + "</g><text class=\"sub\" x=\"\(x + 17)\" y=\"\(y)\">")
      svg.text(colour.words)
      svg.raw("</text>\n")
      x += 17 + 7 * colour.words.count + 18
    }
  }

  private static func pixels(_ hundredths: Int64) -> String {
    Figure.decimal(hundredths, decimals: 2)
  }
}
