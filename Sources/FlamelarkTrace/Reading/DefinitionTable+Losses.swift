internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension DefinitionTable {
  /// What the recorder lost, and why.
  var lossIssues: [Trace.Issue] {
    var issues: [Trace.Issue] = []
    issues.merge(losses.map(\.issue))
    let lost = threads.values.reduce(UInt64(0)) { $0 &+ ($1.counts.count == 5 ? $1.counts[4] : 0) }
    if lost > 0 {
      issues.append(
        Trace.Issue("records lost because they could not be written", count: Int(clamping: lost)))
    }
    return issues
  }
}

extension DefinitionTable.Loss {
  fileprivate var issue: Trace.Issue {
    let why = unsafe String(cString: strerror(errno))
    let what =
      switch DefinitionRecord.LossReason(rawValue: reason) {
      case .writeFailed: "recordings that ended early because a file could not be written (\(why))"
      case .noSlot: "threads for which there was no space (\(why))"
      case .sizeLimit: "recordings that ended at the size they might have"
      case .signalHandler:
        "spans and others dropped in signal handlers that met the recorder at work"
      case .definitions: "names and facts lost because they could not be written (\(why))"
      case .openTaskSpans: "spans around await that had not ended, and were too many to remember"
      case nil: "losses of a kind that this version doesn't know"
      }
    return Trace.Issue(what, count: max(1, Int(clamping: count)))
  }
}
