import FlamelarkTrace
import KillLedger

/// Compares what a killed program's trace holds with what its threads counted.
struct Verdict {
  let trace: Trace
  let ledger: Ledger
  let mode: Mode
  /// When the program was gone, CLOCK_MONOTONIC in nanoseconds.
  let reaped: UInt64

  /// What one thread left.
  private struct Row {
    var ended: UInt64 = 0
    var unfinished: [String] = []
    var folded: UInt64 = 0
    var foldedTime: Int64 = 0
    /// What the recorder counted for the row.
    var counts = Trace.TrackCounts()
  }

  func findings() throws -> Findings {
    try trace.checkInvariants()
    let isStopped = mode == .stop && trace.source.ending == .stopped
    guard trace.source.ending == .killed || isStopped else {
      throw Failure("the trace says that the recording is \(trace.source.ending)")
    }
    guard trace.issues.isEmpty else { throw Failure("issues: \(trace.issues)") }
    let rows = rowsByName()
    var all = Findings()
    if isStopped { all.stopped = 1 }
    for index in 0..<Ledger.threadCount {
      let entry = ledger[index]
      let row = rows["worker \(index)"] ?? Row()
      guard entry.state != .none || row.ended != 0 || row.folded != 0 else { continue }
      do {
        try judge(row, entry)
      } catch {
        throw Failure("worker \(index): \(error)")
      }
      all.add(
        Findings(
          threads: 1, counted: entry.count, ahead: row.ended + row.folded - entry.count,
          unfinished: row.unfinished.count))
    }
    return all
  }

  private func judge(_ row: Row, _ entry: Entry) throws {
    let recovered = row.ended + row.folded
    let most = entry.count + (entry.state == .ended ? 0 : mode.mostUncounted)
    guard (entry.count...most).contains(recovered) else {
      throw Failure("\(entry.count) spans counted, \(row.ended) + \(row.folded) recovered")
    }
    let outer = row.unfinished.filter { $0 == "outer" }.count
    // The outermost span of a short thread may have ended without being counted.
    let isOpen = entry.state == .open && !(mode == .short && outer == 0 && recovered == most)
    guard entry.state == .none || outer == (isOpen ? 1 : 0) else {
      throw Failure("the outermost span is \(entry.state), \(outer) of it are unfinished")
    }
    let filtered = row.counts.belowMinimum + row.counts.overDepth
    guard filtered == row.folded else {
      throw Failure("sums of \(row.folded) spans, and \(filtered) counted as left out")
    }
    if mode == .folded { try judgeTime(row, entry) }
  }

  /// The sums' time lies between what passed inside of the spans and what passed around them. The
  /// clocks of recorder and ledger agree to a thousandth.
  private func judgeTime(_ row: Row, _ entry: Entry) throws {
    let least = Int64(Double(entry.inside) * 0.999)
    let uncounted = entry.lastBegin == 0 ? 0 : reaped - entry.lastBegin
    let most = Int64(Double(entry.around + uncounted) * 1.001)
    guard least <= row.foldedTime, row.foldedTime <= most else {
      throw Failure("sums of \(row.foldedTime) ns where \(least) to \(most) ns passed")
    }
  }

  private func rowsByName() -> [String: Row] {
    var rows: [String: Row] = [:]
    let unfinished = Set(trace.spans.unfinished)
    var names: [Int: String] = [:]
    let kind: Trace.Track.Kind = mode == .tasks ? .task : .thread
    for (index, track) in trace.tracks.enumerated() where track.kind == kind {
      // A task has the name of its outermost span.
      let isTask = kind == .task && !track.spans.isEmpty
      let name = isTask ? trace.name(ofSpan: track.spans.lowerBound) : track.name
      names[index] = name
      var row = rows[name] ?? Row()
      row.counts = track.counts
      for span in track.spans {
        if unfinished.contains(span) {
          let spanName = trace.name(ofSpan: span)
          row.unfinished.append(isTask && spanName == name ? "outer" : spanName)
        } else {
          row.ended += 1
        }
      }
      rows[name] = row
    }
    for sum in trace.folded {
      guard let name = names[sum.track] else { continue }
      rows[name]?.folded += UInt64(sum.count)
      rows[name]?.foldedTime += sum.total
    }
    return rows
  }
}
