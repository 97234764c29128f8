internal import FlamelarkAnalysis

/// The frames of a report as one SVG file: frame times against targets, how they are distributed, and the
/// hitch ratios of activities and sessions.
///
/// It needs no network and no script. Names come from files that anybody may have written: they stand in
/// the file as escaped text alone.
public struct FramesPicture: Sendable {
  let report: FramesReport

  /// A picture of a report.
  public init(_ report: FramesReport) { self.report = report }

  /// Series beyond are left out; the picture says so.
  private static let mostPanels = 8
  private static let headHeight = 76

  /// The file.
  public func svg() -> [UInt8] {
    let panels = report.sessions.flatMap { session in
      session.series.map {
        FramesPanel(series: $0, file: session.file, scale: report.options.scale)
      }
    }
    let shown = panels.prefix(Self.mostPanels)
    let bars = RatioBars(report)
    let barsTop = Self.headHeight + shown.count * FramesPanel.height
    let height = barsTop + bars.height + 12
    var svg = XMLText()
    svg.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 \(height)" width="1200" \
      height="\(height)" role="img" aria-label="
      """)
    svg.text("\(title), \(verdict)")
    svg.raw("\">\n<style><![CDATA[\n\(Self.css)]]></style>\n")
    svg.raw("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n")
    svg.label(title, x: 10, y: 24, "title")
    svg.label(verdict, x: 10, y: 44, "sub")
    writeLegend(leftOut: panels.count - shown.count, to: &svg)
    for (index, panel) in shown.enumerated() {
      panel.write(at: Self.headHeight + index * FramesPanel.height, to: &svg)
    }
    bars.write(at: barsTop, to: &svg)
    svg.raw("</svg>\n")
    return svg.bytes
  }

  private var title: String {
    guard report.sessions.count == 1, let only = report.sessions.first else {
      return "Frames of \(Figure.count(report.sessions.count, "session"))"
    }
    return "Frames of \(fileName(only.file, columns: 80))"
  }

  private var verdict: String {
    guard let worst = report.worst else { return "no frames" }
    let pooled = worst.spread.pooled
    let band = report.band(of: pooled)?.rawValue.uppercased() ?? "nothing to judge"
    let series =
      report.groups.count > 1
      ? " in the worst series, \"\(shortened(PrintableText(worst.name).text, to: 32))\"" : ""
    return shortened(
      (["\(band) \(worst.isApproximate ? "~" : "")\(Figure.ratio(pooled.hitchRatio)) ms/s\(series)"]
        + [report.options.scale.text] + report.phrases).joined(separator: " · "), to: 170)
  }

  private func writeLegend(leftOut: Int, to svg: inout XMLText) {
    var x = 10
    for (colour, words) in [
      ("ok", "in time"), ("late", "late, a mark below"), ("due", "when it was due"),
    ] {
      if colour == "due" {
        svg.raw("<path class=\"due\" d=\"M\(x) 59h12\"/>\n")
      } else {
        svg.raw("<rect class=\"\(colour)\" x=\"\(x)\" y=\"54\" width=\"12\" height=\"10\"/>\n")
      }
      svg.label(words, x: x + 17, y: 63, "sub")
      x += 17 + 7 * words.count + 20
    }
    if leftOut > 0 {
      svg.label("\(Figure.count(leftOut, "series", "series")) more left out", x: x, y: 63, "sub")
    }
  }

  /// The colours are those of Okabe and Ito, which people with any kind of colour vision tell apart.
  private static let css = """
    svg { color-scheme: light dark; }
    .page { fill: #fff; }
    text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #111;
      white-space: pre; }
    .title { font-size: 16px; font-weight: bold; }
    .head { font-size: 12px; font-weight: bold; }
    .sub { fill: #555; }
    .end { text-anchor: end; }
    .mid { text-anchor: middle; }
    .ok { fill: #56b4e9; }
    .late { fill: #d55e00; }
    .mark { stroke: #d55e00; stroke-width: 1.2; fill: none; }
    .due { stroke: #111; stroke-width: 1; fill: none; }
    .grid { stroke: #ddd; stroke-width: 1; fill: none; }
    .limit { stroke: #555; stroke-width: 1; stroke-dasharray: 3 3; fill: none; }
    .dot { fill: #fff; fill-opacity: .6; stroke: #111; stroke-width: 1; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #1b1b1d; }
      text { fill: #f2f2f2; }
      .sub { fill: #b5b5b5; }
      .due { stroke: #f2f2f2; }
      .grid { stroke: #3a3a3d; }
      .limit { stroke: #b5b5b5; }
      .dot { fill: none; stroke: #f2f2f2; }
    }

    """
}

extension XMLText {
  /// A text at a place.
  mutating func label(_ text: String, x: Int, y: Int, _ classes: String) {
    raw("<text class=\"\(classes)\" x=\"\(x)\" y=\"\(y)\">")
    self.text(text)
    raw("</text>\n")
  }
}

extension HitchScale {
  /// The ratios where a band ends and the next one begins, in ms/s.
  var limits: [Double] {
    switch self {
    case .scroll: [5, 10]
    case .hitches: [10, 25, 50]
    }
  }
}
