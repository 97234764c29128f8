internal import FlamelarkAnalysis

extension CompareReport {
  /// The report as a comment on a change: the verdict, and tables that can be folded out.
  public func markdown(top: Int? = nil) -> String {
    var markdown = Markdown()
    write(to: &markdown, top: top)
    return markdown.text
  }

  func write(to markdown: inout Markdown, top: Int?) {
    let ratio = comparison.ratio
    markdown.paragraph(
      "**\(verdictWord)**: \(Figure.ratio(ratio.a)) → \(Figure.ratio(ratio.b)) ms/s hitching "
        + "(\(changePhrase)), \(Figure.count(comparison.a.count, "run")) before and "
        + "\(Figure.count(comparison.b.count)) after.")
    if let reason {
      markdown.paragraph(
        "Why: \(Markdown.code(SpanPath(of: reason.cause.signature).text)) \(reason.phrase): "
          + "\(reason.figures).")
    }
    if let sentence = leastSeenSentence { markdown.paragraph(sentence) }
    let causes = shownCauses(top: top).shown
    if !causes.isEmpty {
      markdown.table(
        ["before, ms/s", "after", "change", "\(Self.confidence) interval", "verdict", "cause"],
        numbers: 4,
        rows: causes.map { change in
          Self.cells(change.blame, change.interval) + [
            change.verdict.mark, Markdown.code(SpanPath(of: change.signature).text),
          ]
        })
    }
    let spans = shownSpans(top: top)
    if !spans.isEmpty {
      markdown.paragraph("<details><summary>Self time of spans, ms/s of active time</summary>")
      markdown.table(
        ["before", "after", "change", "\(Self.confidence) interval", "span"], numbers: 4,
        rows: spans.map { Self.cells($0.time, $0.interval) + [Markdown.code($0.name)] })
      markdown.paragraph("</details>")
    }
    let (a, b) = overruns
    if a.distance(to: b) != nil {
      markdown.paragraph(
        "<details><summary>Overrun (end − target of each frame), ms</summary>")
      markdown.table(
        ["", "before", "after"], numbers: 0,
        rows: [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)].map { name, percent in
          [name]
            + [a, b].map { $0.percentile(percent).map { Signed.milliseconds($0) } ?? "-" }
        })
      markdown.paragraph("</details>")
    }
    for note in notes { markdown.paragraph("> " + Markdown.words(note)) }
  }

  private static func cells(
    _ difference: Difference, _ interval: ClosedRange<Double>?
  ) -> [String] {
    [
      Figure.ratio(difference.a), Figure.ratio(difference.b), Signed.ratio(difference.change),
      interval.map { Signed.range($0) } ?? "-",
    ]
  }
}

extension Markdown {
  /// A sentence that may have texts of a file in it, without markup.
  static func words(_ sentence: String) -> String {
    var safe = ""
    for scalar in sentence.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ",", ".", ":", ";", "-", "(", ")", "/":
        safe.unicodeScalars.append(scalar)
      // Nobody is called by a note.
      case "@": safe += "(at)"
      default: safe += scalar.value < 0x80 ? "&#\(scalar.value);" : String(Character(scalar))
      }
    }
    return safe
  }
}
