internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// The latest frames and what made them late.
  func worstHitches(_ series: Judgement) -> [String] {
    let shown = series.worst.prefix(min(top ?? 5, series.worst.count))
    guard !shown.isEmpty else { return [] }
    let hasClock = report.trace.wallClockZero != nil
    var table = Table(
      [.number("frame", least: 6), .number("late ms", least: 8), .number("at s", least: 8)]
        + (hasClock ? [.words("UTC", least: 12)] : [])
        + [.number("explained"), .words("main causes", least: 20)])
    for hitch in shown {
      table.append(
        [
          .text("\(hitch.frame.number)"), .text(Figure.milliseconds(hitch.lateness)),
          .text(Figure.seconds(hitch.window.lowerBound, decimals: 3)),
        ]
          + (hasClock
            ? [.text(report.wallClock(at: hitch.window.lowerBound)?.time() ?? "-")] : [])
          + [
            .text("\(percent(hitch.explained)) %"),
            .text(mainCauses(of: hitch, columns: width - (hasClock ? 54 : 40))),
          ])
    }
    return ["", style.bold("Worst hitches")] + table.lines(width: width)
  }

  private func percent(_ part: Double) -> Int { Int((part * 100).rounded()) }

  private func mainCauses(of hitch: Hitch, columns: Int) -> String {
    let causes = hitch.causes.filter { $0.share >= 0.1 || $0 == hitch.causes.first }.prefix(2)
    func text(room: Int) -> String {
      causes.map { "\(SpanPath(of: $0).text(columns: room)) \(percent($0.share)) %" }
        .joined(separator: ", ")
    }
    // The most room for each name with which all fit.
    var room = columns
    while room > 8, FlamelarkReport.columns(of: text(room: room)) > columns { room -= 1 }
    return text(room: room)
  }

  /// What the program itself called a hitch.
  func markedHitches(_ series: Judgement) -> [String] {
    guard !series.marked.isEmpty else { return [] }
    var table = Table([
      .number("frame", least: 6), .number("late ms", least: 8), .number("at s", least: 8),
      .words("reason", least: 20),
    ])
    let shown = series.marked.prefix(top ?? 5)
    for mark in shown {
      table.append([
        .text("\(mark.frame)"),
        .text(series.lateness(ofFrame: mark.frame).map { Figure.milliseconds($0) } ?? "-"),
        .text(Figure.seconds(mark.time, decimals: 3)),
        .text(PrintableText(report.trace.names[mark.reason]).text),
      ])
    }
    let rest = series.marked.count - shown.count
    let more = rest > 0 ? ["  and \(Figure.count(rest)) more"] : []
    return ["", style.bold("Marked by the program") + "  (they change no figure)"]
      + table.lines(width: width) + more
  }

  /// What makes the figures trustworthy, or less so.
  func checks(_ series: Judgement) -> [String] {
        var phrases: [String] = []
    if !series.hitches.isEmpty {
      phrases.append(
        "blame adds up to lateness in \(Figure.count(series.exactHitches)) of "
          + Figure.count(series.hitches.count, "hitch", "hitches"))
    }
    if !series.hitches.isEmpty {
      phrases += normal(of: series.strata)
    }
    phrases.append(targetsText(series))
    if let marks = series.recorderMarks, marks.count > 0 {
      phrases.append(
        "marked while recording \(Figure.count(marks.count, "hitch", "hitches")), "
          + "found \(Figure.count(marks.found))")
    }
    if series.cutFrames > 0 {
      phrases.append("\(Figure.count(series.cutFrames, "frame")) cut off, not judged")
    }
    return [""]
      + FlamelarkReport.lines(of: phrases, width: width, first: "Checks   ").enumerated().map {
        $0 == 0 ? style.bold("Checks") + $1.dropFirst(6) : $1
      }
  }

  private func targetsText(_ series: Judgement) -> String {
    let estimated = series.frames.estimatedTargets
    let text = "targets estimated \(Figure.count(estimated))"
    guard series.isApproximate else { return text }
    return text + " of \(Figure.count(series.frames.frames.count)): give --refresh HZ"
  }

  /// What late frames were compared with.
  private func normal(of strata: [Stratum]) -> [String] {
    func group(_ stratum: Stratum) -> String {
      "\(Figure.hertz(stratum.interval)) Hz"
        + (stratum.tag.map { " \"\(shortened(PrintableText($0).text, to: 20))\"" } ?? "")
    }
    let shown = strata.prefix(6)
    let plain = shown.filter { !$0.isSystemic && !($0.isWidened && strata.count > 1) }
    var phrases: [String] = []
    if !plain.isEmpty {
      let counts = plain.enumerated().map { index, stratum in
        (index == 0
          ? Figure.count(stratum.goodFrames, "good frame") : Figure.count(stratum.goodFrames))
          + " at \(group(stratum))"
      }
      phrases.append("normal from \(counts.joined(separator: ", "))")
    }
    for stratum in shown {
      let whose = stratum.isWidened && strata.count > 1 ? " of the whole series" : ""
      if stratum.isSystemic {
        phrases.append(
          "hardly a good frame at \(group(stratum)): normal from the fastest quarter\(whose), "
            + Figure.count(stratum.goodFrames, "frame"))
      } else if !whose.isEmpty {
        phrases.append(
          "normal at \(group(stratum)) from \(Figure.count(stratum.goodFrames, "good frame"))\(whose)"
        )
      }
    }
    let rest = strata.count - shown.count
    return rest > 0 ? phrases + ["\(Figure.count(rest)) more groups of frames"] : phrases
  }

  /// What the figures leave out, so that nobody has to guess.
  var notMeasured: [String] {
    let counts = Unmeasured(in: report.trace)
    let source = report.trace.source
    var sentences = [
      "the work of other threads: where a frame waits for one, the span that waits is blamed"
    ]
    if report.series.contains(where: { $0.frames.series.mode != .presented }) {
      sentences.append(
        "when frames were shown: a frame counts as late when the program was late with it")
    }
    let untold = report.series.reduce(0) { $0 + $1.frames.untold }
    if untold > 0 {
      sentences.append(
        "whether \(Figure.count(untold, "frame")) were shown, which nobody told: "
          + "others are judged as if in time")
    }
    if counts.overDepth > 0 {
      let limit = source.maximumDepth.map { " of \($0)" } ?? ""
      sentences.append(
        "\(Figure.count(counts.overDepth, "span")) below the greatest depth\(limit): "
          + "their time is in the span above")
    }
    if counts.belowMinimum > 0 {
      sentences.append(
        "\(Figure.count(counts.belowMinimum, "span")) shorter than "
          + "\(Figure.duration(source.minimumDuration)), "
          + "\(Figure.milliseconds(counts.belowMinimumTime)) ms: "
          + (report.trace.folded.contains { $0.reason == .belowMinimum }
            ? "summed up where they ran, as (short calls)" : "their time is in the span above"))
    }
    let left = report.series.reduce(0) { max($0, $1.foldedTime.left) }
    if left >= 50_000 {
      sentences.append(
        "\(Figure.milliseconds(left)) ms of short calls that begin in one frame and end in another: "
          + "left to the spans around them")
    }
    if counts.detached > 0 {
      sentences.append(
        "\(Figure.count(counts.detached, "span")) that ended out of order or on another thread: "
          + "on rows of their own, not blamed")
    }
    if counts.lost > 0 {
      sentences.append("\(Figure.count(counts.lost, "record")) that could not be written")
    }
    switch source.ending {
    case .stopped: break
    case .running: sentences.append("what is still to come: the program goes on recording")
    case .killed:
      sentences.append(
        "the end: the program ended without stopping the recording; what it left was taken in")
    }
    let unfinished = report.trace.spans.unfinished.count
    if unfinished > 0 {
      sentences.append(
        "the rest of \(Figure.count(unfinished, "span")) that had not ended when the recording did")
    }
    let issues = report.trace.issues
    sentences += issues.prefix(4).map {
      "\(PrintableText($0.text).text): \(Figure.count($0.count))"
    }
    if issues.count > 4 {
      sentences.append(
        "\(issues.count - 4) more: flamelark info \(shellWord(report.file))")
    }
    return ["", style.bold("Not measured")]
      + sentences.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
  }

  /// The command that shows a frame in a flame graph, on as many lines as it needs.
  func exportCommand(frame: Int, of series: Judgement) -> [String] {
    var words = ["flamelark export", "--as speedscope", "--from f\(frame)", "--to f\(frame)"]
    if let frames = report.options.frames {
      words.append("--frames \(shellWord(frames))")
    } else if report.trace.frameSeries.count > 1 {
      words.append("--series \(shellWord(series.name))")
    }
    words += ["-o f\(frame).speedscope.json", shellWord(report.file)]
    return commandLines(words, first: "   = help: ", width: width)
  }
}
