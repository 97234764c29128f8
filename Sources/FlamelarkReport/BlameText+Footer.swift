internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// What makes the figures trustworthy, or less so.
  func checks(_ series: Judgement) -> [String] {
    var phrases: [String] = []
    if !series.hitches.isEmpty {
      phrases.append(
        "blame adds up to lateness in \(Figure.count(series.exactHitches)) of "
          + Figure.count(series.hitches.count, "hitch", "hitches"))
      phrases += normal(of: series.strata)
      let blocked = series.causes.reduce(0) { $0 + ($1.kind == .blocked ? $1.blame : 0) }
      phrases.append("blocked by nobody known \(Figure.milliseconds(blocked)) ms")
    }
    phrases.append(targetsText(series))
    phrases.append("lost records \(Figure.count(Unmeasured(in: report.trace).lost))")
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
    return rest > 0
      ? phrases + [Figure.count(rest, "more group of frames", "more groups of frames")] : phrases
  }

  /// What the figures leave out, so that nobody has to guess.
  var notMeasured: [String] {
    let counts = Unmeasured(in: report.trace)
    let source = report.trace.source
    let trace = report.trace
    var sentences: [String] = []
    if trace.waits.isEmpty, trace.flows.isEmpty, trace.stages.isEmpty, trace.threadStates.isEmpty {
      sentences.append(
        "the work of other threads that no wait, link or stage leads to")
    }
    if report.series.contains(where: { $0.frames.series.mode != .presented }) {
      sentences.append(
        "when frames were shown: a frame counts as late when the program was late with it")
    }
    let untold = report.series.reduce(0) { $0 + $1.frames.untold }
    if untold > 0 {
      sentences.append(
        "whether \(Figure.count(untold, "frame was", "frames were")) shown, which nobody told: "
          + "judged as if in time")
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
            ? "summed up where they ran, as (folded)" : "their time is in the span above"))
    }
    let left = report.series.reduce(0) { max($0, $1.foldedTime.left) }
    if left >= 50_000 {
      sentences.append(
        "\(Figure.milliseconds(left)) ms of folded calls that begin in one frame and end in another: "
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
        "\(issues.count - 4) more: \(report.view.words("info", []).joined(separator: " "))")
    }
    guard !sentences.isEmpty else { return [] }
    return ["", style.bold("Not measured")]
      + sentences.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
  }
}
