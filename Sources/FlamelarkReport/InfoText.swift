internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension InfoReport {
  /// The report for a person.
  public func text(width: Int = 100, isColored: Bool = false) -> String {
    let style = TextStyle(isColored: isColored)
    var lines = header(width)
    var empty: [String] = []
    let links = InfoLinks(of: trace, rows: threads)
    if let table = filterTable { lines += ["", style.bold("Filters")] + table.lines(width: width) }
    for (title, table) in [
      ("Threads", threadTable), ("Tracks", trackTable), ("Tasks", taskTable(links)),
      ("Waits", waitTable(links)), ("Links", flowTable(links)),
      ("Frame series", seriesTable), ("Activities", activityTable), ("Counters", counterTable),
      ("Markers", markerTable), ("Lost or repaired", issueTable),
    ] {
      guard let table else {
        empty.append(title.lowercased())
        continue
      }
      lines += ["", style.bold(title)] + table.lines(width: width)
      guard title == "Frame series" else { continue }
      for (title, table) in [("Display and rest", displayTable), ("Stages", stageTable)] {
        if let table { lines += ["", style.bold(title)] + table.lines(width: width) }
      }
    }
    if !empty.isEmpty {
      lines += ["", style.bold("None") + "   " + empty.joined(separator: " · ")]
    }
    return (lines + candidateLines(width, style)).map { $0 + "\n" }.joined()
  }

  /// What could be the frames of a trace that has none of its own.
  private func candidateLines(_ width: Int, _ style: TextStyle) -> [String] {
    guard let best = candidates.first else { return [] }
    return ["", style.bold("Could be frames")]
      + Table(candidates: candidates.prefix(8)).lines(width: width)
      + commandLines(
        ["flamelark blame", "--frames \(shellWord(best.name))", shellWord(file)], first: "  ",
        width: width)
  }

  private func header(_ width: Int) -> [String] {
    let source = trace.source
    var phrases = [PrintableText(file).text]
    phrases.append(source.kind == .flamelark ? "trace of Flamelark" : "Trace Event JSON")
    phrases.append(Figure.duration(trace.range.upperBound &- trace.range.lowerBound))
    if let began = WallClock(zero: trace.wallClockZero, offset: trace.range.lowerBound) {
      phrases.append("from \(began.date) \(began.time()) UTC")
    }
    var result = FlamelarkReport.lines(of: phrases, width: width, next: "  ")
    result.append("")
    var facts: [(String, String)] = []
    if let process = source.processID { facts.append(("process", "\(process)")) }
    facts += source.properties.sorted { $0.key < $1.key }.map {
      (PrintableText($0.key).text, PrintableText(Self.readable($0.key, $0.value)).text)
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
    facts += factLines
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
    let changes = max(0, trace.source.filters.count - 1)
    return depth + " · "
      + (least > 0 ? "spans of at least \(Figure.duration(least))" : "no least duration")
      + (changes > 0 ? " · changed \(Figure.count(changes, "time"))" : "")
  }
}

extension InfoReport {
  /// A property as a person reads it: the machine's memory is told in bytes.
  private static func readable(_ name: String, _ value: String) -> String {
    guard name == "memory", let bytes = Int64(value), bytes > 0 else { return value }
    return Figure.decimal(Figure.rounded(bytes, to: 100_000_000), decimals: 1) + " GB"
  }
}
