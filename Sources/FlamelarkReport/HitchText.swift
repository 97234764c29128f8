internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension HitchReport {
  /// The report for a person. `showsAll`: a line for each step of the critical path.
  public func text(
    width: Int = 100, isColored: Bool = false, showsAll: Bool = false
  ) -> String {
    HitchText(
      report: self, width: width, style: TextStyle(isColored: isColored), showsAll: showsAll
    ).lines.map { withoutTrailingSpaces($0) + "\n" }.joined()
  }
}

/// The text of a hitch: the verdict, the critical path, what bears the lateness, what to do.
struct HitchText {
  let report: HitchReport
  let width: Int
  let style: TextStyle
  let showsAll: Bool

  private var hitch: Hitch { report.hitch }
  private var start: Int64 { hitch.window.lowerBound }

  var lines: [String] { header + verdict + criticalPath + ledger + rest }

  private var header: [String] {
    let clock = report.trace.wallClock(at: start).map { " (\($0.date) \($0.time()) UTC)" } ?? ""
    let series = shortened(PrintableText(report.series.name).text, to: width / 4)
    return FlamelarkReport.lines(
      of: [
        fileName(report.file, columns: width / 2), "series \"\(series)\"",
        "frame \(hitch.frame.number) at \(Figure.seconds(start, decimals: 3)) s\(clock)",
      ], width: width, next: "  ")
  }

  private var verdict: [String] {
    var phrases = [hitch.kind.rawValue]
    if hitch.root < hitch.frame.number {
      phrases.append("the time was lost in frame \(hitch.root)")
    }
    if let first = hitch.causes.first {
      let path = SpanPath(of: first, loop: report.loop).text(columns: 40)
      phrases.append("\(path) bears \(Figure.percent(first.share)) %")
    }
    phrases.append("explained \(Figure.percent(hitch.explained)) %")
    let bar = BudgetBar(budget: hitch.budget, lateness: hitch.lateness)
    let late = "\(Figure.milliseconds(hitch.lateness)) ms LATE"
    let first = FlamelarkReport.lines(of: phrases, width: width, first: "  \(late)   ")
    return ["", "  " + style.red(late) + (first.first ?? "").dropFirst(2 + columns(of: late))]
      + first.dropFirst() + ["  " + bar.text(width: min(width - 4, 92), style: style)]
  }

  private var ledger: [String] {
    let total = "\(Figure.milliseconds(hitch.lateness)) ms late = 100 %"
    let title = style.bold("Ledger") + pad(total, to: min(width, 82) - 6, right: true)
    let ledger = HitchLedger(hitch: hitch, loop: report.loop, most: showsAll ? .max : 12)
    return ["", title] + ledger.lines(width: width - 1).map { " " + $0 }
  }

  private var rest: [String] {
    var lines = [""]
    func say(_ word: String, _ sentence: String) {
      lines += wrapped(sentence, width: width, first: "= \(word): ", next: "        ")
    }
    if let sentence = hitch.causes.first.flatMap({
      CauseSentence(cause: $0, loop: report.loop).link
    }) {
      say("note", sentence)
    }
    if let gap = hitch.causes.first(where: { $0.kind == .uninstrumented })?.gap {
      say("note", "most of the time outside of spans lies \(SpanGap(gap).text)")
    }
    if let deviations = hitch.deviations {
      say(
        "note",
        "the first cause is \(Figure.value((deviations * 10).rounded() / 10)) standard deviations of "
          + "good frames above normal")
    }
    // Those that nothing unites are not alike.
    if let alike = report.alike, alike.cluster.frames.count > 1, alike.hasName {
      let cluster = alike.cluster
      let others = cluster.frames.filter { $0 != hitch.frame.number }
      let shown = others.prefix(8).map { "\($0)" }.joined(separator: ", ")
      say(
        "note",
        "\(Figure.count(cluster.frames.count)) hitches are alike, "
          + "\(Figure.milliseconds(cluster.lateness)) ms late in all "
          + "(\(alike.text(columns: 64, loop: report.loop))): also \(shown)"
          + (others.count > 8 ? " …" : ""))
    }
    let frame = "f\(hitch.frame.number)"
    let range = ["--from \(frame)", "--to \(frame)"]
    lines += commandLines(
      report.view.words("spans", .whichFrames, adding: range), first: "= help: ", width: width)
    lines += commandLines(
      report.view.words(
        "export --as speedscope", .whichFrames,
        adding: range + ["-o \(frame).speedscope.json"]), first: "        ", width: width)
    return lines
  }
}
