internal import FlamelarkReport

extension Hitches: CustomStringConvertible {
  /// A short report whose first line is the verdict: the figures, the first causes, where the traces
  /// are and the command that says more of the worst one.
  ///
  /// It names the traces, so they stay from then on. A test reads it only where an expectation fails.
  public var description: String {
    keepTraces()
    return text
  }

  /// The report, without keeping what it speaks of.
  var text: String {
    ([verdict] + figures + causeLines + notes + traceLines).joined(separator: "\n")
  }

  /// How wide lines may be, but for paths of files.
  private static let width = 120
  /// So many causes have a line.
  private static let mostCauses = 3

  private var verdict: String {
    let scale = HitchScale.scroll
    let band = scale.band(of: ratio).rawValue.uppercased()
    return count == 0
      ? "\(band) 0.00 ms/s, no hitches in \(Figure.duration(activeTime.nanoseconds))"
      : "\(band) \(Figure.ratio(ratio)) ms/s hitching (\(scale.text))"
  }

  private var figures: [String] {
    var phrases = [
      "series \"\(shortened(PrintableText(series).text, to: 32))\"",
      Figure.count(iterations.count, "iteration"),
      "\(Figure.count(frameCount, "frame")) in \(Figure.duration(activeTime.nanoseconds)), "
        + "\(Figure.decimal(Figure.hundredths(framesPerSecond), decimals: 2)) fps",
    ]
    if let worst {
      phrases.append(
        "\(Figure.count(count, "hitch", "hitches")), \(milliseconds(totalLateness)) ms late")
      let iteration = iterations.count > 1 ? " of iteration \(worst.iteration)" : ""
      phrases.append(
        "worst \(milliseconds(worst.lateness)) ms in frame \(worst.number)\(iteration)")
    }
    if iterations.count > 1 {
      let shown = ratios.prefix(10).map { Figure.ratio($0) }.joined(separator: " ")
      phrases.append(
        "by iteration \(shown)\(ratios.count > 10 ? " …" : ""): "
          + "p50 \(Figure.ratio(p50Ratio)) p90 \(Figure.ratio(p90Ratio)) ms/s")
    }
    return lines(of: phrases, width: Self.width, first: "  ")
  }

  private var causeLines: [String] {
    guard !causes.isEmpty else { return [] }
    var table = Table([
      .number("ms/s", least: 6), .number("share"), .number("if normal"),
      .words("cause", least: 20), .words("at"),
    ])
    for cause in causes.prefix(Self.mostCauses) {
      table.append([
        .text(Figure.ratio(cause.ratio)), .text("\(Figure.percent(cause.share))%"),
        .text(cause.ratioIfNormal.map { Figure.ratio($0) } ?? "-"),
        .text(SpanPath(cause.names, lead: cause.lead).text(columns: 48)),
        .text(place(of: cause)),
      ])
    }
    let rest = causes.dropFirst(Self.mostCauses)
    if !rest.isEmpty {
      table.append([
        .text(Figure.ratio(rest.reduce(0) { $0 + $1.ratio })),
        .text("\(Figure.percent(rest.reduce(0) { $0 + $1.share }))%"), .text(""),
        .text(Figure.count(rest.count, "more cause")), .text(""),
      ])
    }
    return table.lines(width: Self.width, indent: 2)
  }

  private func place(of cause: Cause) -> String {
    guard let file = cause.file, !file.isEmpty else { return "-" }
    return shortened(PrintableText(file).text, to: 40) + (cause.line > 0 ? ":\(cause.line)" : "")
  }

  private var notes: [String] {
    var notes: [String] = []
    if explained < 0.5 {
      notes.append(
        "\(Figure.percent(explained)) % of the lateness has a cause that stands out: the command below "
          + "says what to record to know more")
    }
    if count > 0, preemptions > 0 {
      notes.append(
        "threads of this process lost their processor \(Figure.count(preemptions, "time")) meanwhile"
      )
    }
    if lost > 0 { notes.append("\(Figure.count(lost, "record")) lost: frames may be missing") }
    return notes.flatMap { wrapped($0, width: Self.width, first: "  note: ", next: "        ") }
  }

  /// Where the traces are, and what says more of the one with the greatest ratio.
  private var traceLines: [String] {
    let shown = iterations.prefix(5).map { "  trace: \(PrintableText($0.trace).text)" }
    let more = iterations.count > 5 ? ["  trace: … and \(iterations.count - 5) more there"] : []
    let worst = iterations.reduce(iterations[0]) { $1.ratio > $0.ratio ? $1 : $0 }
    let words = SameView(of: worst.trace, values: options).words(
      "blame", Set(SameView.Option.allCases))
    return shown + more + ["  why:   " + words.joined(separator: " ")]
  }

  /// What a command has to be told to show the same frames.
  private var options: [SameView.Option: String] {
    var values: [SameView.Option: String] = [:]
    if view.namesSeries { values[.series] = series }
    values[.activity] = view.selection.activity
    switch view.selection.skip {
    case .frames(let count): values[.skip] = "\(count)"
    case .time(let time): values[.skip] = exactSeconds(time)
    case nil: break
    }
    return values
  }

  /// Nanoseconds as the command reads a time: `1.5s`.
  private func exactSeconds(_ time: Int64) -> String {
    Figure.decimal(time, decimals: 9).trimmingZeros + "s"
  }

  private func milliseconds(_ duration: Duration) -> String {
    Figure.milliseconds(duration.nanoseconds)
  }
}

extension String {
  /// Without zeros at the end, and without a point that is then the last character.
  fileprivate var trimmingZeros: String {
    var text = self
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
