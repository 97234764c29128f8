package import FlamelarkAnalysis
internal import FlamelarkTrace

extension InfoReport {
  var threadTable: Table? {
    let threads = threads.filter { $0.track.kind == .thread || $0.track.kind == .lane }
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
    for thread in threads.prefix(Self.mostRows) {
      table.append(
        [
          .text(Figure.count(thread.track.spans.count)), .text(Figure.milliseconds(thread.busy)),
          .text(Figure.count(thread.depth)),
        ] + extra.map { .text($0.1(thread.counts)) }
          + [.text(name(of: thread.track, withProcess: hasManyProcesses))])
    }
    table.appendRest(threads.count - Self.mostRows, of: "thread", behind: 3 + extra.count)
    return table
  }

  private func name(of track: Trace.Track, withProcess: Bool) -> String {
    var text = PrintableText(track.name).text
    if text.isEmpty { text = "(no name)" }
    if track.kind == .lane {
      text += " (lane of thread \(track.threadID))"
    } else if !text.hasSuffix(" \(track.threadID)") {
      text += " (\(track.threadID))"
    }
    return withProcess ? text + " of process \(track.processID)" : text
  }

  var seriesTable: Table? {
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

  var activityTable: Table? {
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

  var counterTable: Table? {
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

  var markerTable: Table? {
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

  var issueTable: Table? {
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

extension Table {
  /// What could be frames, most likely first.
  package init(candidates: some Sequence<FrameCandidate>) {
    self.init([
      .number("count", least: 6), .number("covers"), .words("kind"), .words("thread"),
      .words("name", least: 16),
    ])
    for candidate in candidates {
      append([
        .text(Figure.count(candidate.count)),
        .text("\(Int((candidate.coverage * 100).rounded())) %"), .text(candidate.kind.rawValue),
        .text(shortened(PrintableText(candidate.track).text, to: 24)),
        .text(PrintableText(candidate.name).text),
      ])
    }
  }
}
