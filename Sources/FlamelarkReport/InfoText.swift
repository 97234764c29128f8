internal import FlamelarkTrace

extension InfoReport {
  /// The report for a person.
  public func text(width: Int = 100, isColored: Bool = false) -> String {
    let style = TextStyle(isColored: isColored)
    var lines = header(width)
    lines += section("Threads", style, threadTable, width)
    lines += section("Frame series", style, seriesTable, width)
    lines += section("Activities", style, activityTable, width)
    lines += section("Counters", style, counterTable, width)
    lines += section("Markers", style, markerTable, width)
    lines += section("Lost or repaired", style, issueTable, width)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(
    _ title: String, _ style: TextStyle, _ table: Table?, _ width: Int
  ) -> [String] {
    guard let table else { return ["", style.bold(title) + "  none"] }
    return ["", style.bold(title)] + table.lines(width: width)
  }

  private func header(_ width: Int) -> [String] {
    let source = trace.source
    var phrases = [PrintableText(file).text]
    phrases.append(source.kind == .flamelark ? "trace of Flamelark" : "Trace Event JSON")
    phrases.append(Figure.duration(trace.range.upperBound - trace.range.lowerBound))
    if let began = WallClock(zero: trace.wallClockZero, offset: trace.range.lowerBound) {
      phrases.append("from \(began.date) \(began.time()) UTC")
    }
    var result = FlamelarkReport.lines(of: phrases, width: width, next: "  ")
    result.append("")
    var facts: [(String, String)] = []
    if let process = source.processID { facts.append(("process", "\(process)")) }
    facts += source.properties.sorted { $0.key < $1.key }.map {
      (PrintableText($0.key).text, PrintableText($0.value).text)
    }
    facts.append(("ending", endingText))
    facts.append(("filters", filterText))
    facts.append(
      (
        "holds",
        [
          Figure.count(trace.spans.count, "span"), Figure.count(trace.callSites.count, "call site"),
          Figure.count(trace.spans.unfinished.count, "unfinished span"),
        ].joined(separator: " · ")
      ))
    let column = min(20, facts.map { columns(of: $0.0) }.max() ?? 0)
    result += facts.map { name, value in
      let label = "  " + pad(shortened(name, to: 20), to: column) + "  "
      return label + shortened(value, to: width - columns(of: label))
    }
    return result
  }

  private var endingText: String {
    switch trace.source.ending {
    case .stopped: trace.source.kind == .flamelark ? "stopped by the program" : "the file's end"
    case .running: "none yet: the program still records"
    case .killed: "the program ended without stopping it; what it left was taken in"
    }
  }

  private var filterText: String {
    let depth = trace.source.maximumDepth.map { "depth at most \($0)" } ?? "no limit of depth"
    let least = trace.source.minimumDuration
    return depth + " · "
      + (least > 0 ? "spans of at least \(Figure.duration(least))" : "no least duration")
  }

  private var threadTable: Table? {
    guard !threads.isEmpty else { return nil }
    // A column in which every thread has 0 is left out; the JSON has it.
    let extra: [(String, (Trace.TrackCounts) -> String, Bool)] = [
      ("over depth", { Figure.count($0.overDepth) }, threads.contains { $0.counts.overDepth > 0 }),
      (
        "too short", { Figure.count($0.belowMinimum) },
        threads.contains { $0.counts.belowMinimum > 0 }
      ),
      (
        "their ms", { Figure.milliseconds($0.belowMinimumTime) },
        threads.contains { $0.counts.belowMinimum > 0 }
      ),
      ("moved", { Figure.count($0.detached) }, threads.contains { $0.counts.detached > 0 }),
      ("lost", { Figure.count($0.lost) }, threads.contains { $0.counts.lost > 0 }),
    ].filter(\.2)
    var table = Table(
      [.number("spans", least: 6), .number("in spans ms"), .number("depth")]
        + extra.map { .number($0.0) } + [.words("thread", least: 16)])
    let hasManyProcesses = Set(trace.tracks.map(\.processID)).count > 1
    for thread in threads {
      table.append(
        [
          .text(Figure.count(thread.track.spans.count)), .text(Figure.milliseconds(thread.busy)),
          .text(Figure.count(thread.depth)),
        ] + extra.map { .text($0.1(thread.counts)) }
          + [.text(name(of: thread.track, withProcess: hasManyProcesses))])
    }
    return table
  }

  private func name(of track: Trace.Track, withProcess: Bool) -> String {
    var text = PrintableText(track.name).text
    if text.isEmpty { text = "(no name)" }
    text += track.kind == .lane ? " (lane of thread \(track.threadID))" : " (\(track.threadID))"
    return withProcess ? text + " of process \(track.processID)" : text
  }

  private var seriesTable: Table? {
    guard !trace.frameSeries.isEmpty else { return nil }
    var table = Table([
      .number("frames", least: 6), .number("from s"), .number("to s"), .number("Hz"),
      .number("marked late"), .words("mode"), .words("series", least: 16),
    ])
    for series in trace.frameSeries {
      let last = series.frames.last.map { $0.end ?? $0.timestamp }
      table.append([
        .text(Figure.count(series.frames.count)),
        .text(series.frames.first.map { Figure.seconds($0.timestamp, decimals: 3) } ?? "-"),
        .text(last.map { Figure.seconds($0, decimals: 3) } ?? "-"),
        .text(series.refresh.map { Figure.hertz($0) } ?? "-"),
        .text(Figure.count(series.markedByRecorder.count)), .text(series.mode.rawValue),
        .text(PrintableText(series.name).text),
      ])
    }
    return table
  }

  private var activityTable: Table? {
    guard !activities.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("first s"), .number("total ms"), .number("unfinished"),
      .words("activity", least: 16),
    ])
    for group in activities {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.seconds(group.first, decimals: 3)),
        .text(Figure.milliseconds(group.time)), .text(Figure.count(group.unfinished)),
        .text(PrintableText(group.name).text),
      ])
    }
    return table
  }

  private var counterTable: Table? {
    guard !trace.counters.isEmpty else { return nil }
    var table = Table([
      .number("values", least: 6), .number("least"), .number("greatest"), .number("last"),
      .words("counter", least: 16),
    ])
    for counter in trace.counters {
      let range = [counter.values.min(), counter.values.max(), counter.values.last]
      table.append(
        [.text(Figure.count(counter.values.count))]
          + range.map { .text($0.map { Figure.value($0) } ?? "-") }
          + [.text(PrintableText(trace.names[counter.name]).text)])
    }
    return table
  }

  private var markerTable: Table? {
    guard !markers.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("first s"), .words("marker", least: 16),
    ])
    for group in markers {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.seconds(group.first, decimals: 3)),
        .text(PrintableText(group.name).text),
      ])
    }
    return table
  }

  private var issueTable: Table? {
    guard !trace.issues.isEmpty else { return nil }
    var table = Table([.number("count", least: 6), .number("first at byte"), .words("what")])
    for issue in trace.issues {
      table.append([
        .text(Figure.count(issue.count)), .text(issue.offset.map { Figure.count($0) } ?? "-"),
        .text(PrintableText(issue.text).text),
      ])
    }
    return table
  }
}

extension InfoReport.Row {
  fileprivate var counts: Trace.TrackCounts { track.counts }
}
