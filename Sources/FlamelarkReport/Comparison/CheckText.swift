internal import FlamelarkAnalysis

extension CheckReport {
  /// The report for a person; its first line is the verdict.
  public func text(width: Int = 100, isColored: Bool = false) -> String {
    let style = TextStyle(isColored: isColored)
    var lines = [isKept ? style.green(verdict) : style.red(verdict), ""]
    for item in items {
      lines += wrapped(
        item.sentence, width: width, first: item.isKept ? "  ok    " : "  fail  ", next: "        ")
    }
    let active = runs.reduce(Int64(0)) { $0 &+ $1.activeTime }
    lines += FlamelarkReport.lines(
      of: [
        Figure.count(runs.count, "run"), Figure.duration(active),
        Figure.count(runs.reduce(0) { $0 + $1.frameCount }, "frame"),
        Figure.count(runs.reduce(0) { $0 + $1.hitchCount }, "hitch", "hitches"),
      ], width: width, first: "  ")
    for sentence in leastSeen { lines += wrapped(sentence, width: width, first: "  ", next: "  ") }
    if !regressions.isEmpty {
      var table = Table([
        .number("baseline", least: 8), .number("ms/s", least: 6), .number("change", least: 7),
        .words("verdict", least: 11), .words("new or worse cause", least: 20),
      ])
      for change in regressions.prefix(10) {
        table.append([
          .text(Figure.ratio(change.blame.a)), .text(Figure.ratio(change.blame.b)),
          .text(Signed.ratio(change.blame.change)), .text(change.verdict.rawValue),
          .path(SpanPath(of: change.signature)),
        ])
      }
      lines += [""] + table.lines(width: width)
      if regressions.count > 10 {
        lines.append("  and \(Figure.count(regressions.count - 10, "more cause"))")
      }
    }
    if !notes.isEmpty {
      lines += ["", style.bold("Notes")]
      lines += notes.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The report as a comment on a change.
  public func markdown(top: Int? = nil) -> String {
    var markdown = Markdown()
    markdown.paragraph("### Flamelark: \(isKept ? "pass" : "fail")")
    markdown.paragraph(verdict)
    if let compared {
      compared.write(to: &markdown, top: top)
    } else {
      for sentence in leastSeen { markdown.paragraph(sentence) }
    }
    let told = Set(compared?.notes ?? [])
    for note in notes where !told.contains(note) {
      markdown.paragraph("> " + Markdown.words(note))
    }
    return markdown.text
  }
}
