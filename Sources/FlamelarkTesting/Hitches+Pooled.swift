internal import FlamelarkAnalysis
internal import FlamelarkReport

extension Hitches {
  /// Takes iterations together: at least one.
  init(_ traces: [JudgedTrace], selection: FrameSelection, folder: TraceFolder) {
    let late = traces.reduce(Duration.zero) { $0 + $1.iteration.totalLateness }
    let explained = traces.reduce(0) { $0 + $1.explained }
    self.init(
      series: traces.first?.series ?? "", iterations: traces.map(\.iteration),
      causes: PooledCauses(traces).causes,
      explained: late > .zero ? min(1, explained / Double(late.nanoseconds)) : 1,
      lost: traces.reduce(0) { $0 &+ $1.lost },
      view: View(selection: selection, namesSeries: traces.contains(where: \.hasOtherSeries)),
      folder: folder)
  }
}

/// The causes of several iterations, those that are the same as one.
struct PooledCauses {
  private let traces: [JudgedTrace]
  private let lateness: Duration
  private let activeTime: Duration

  init(_ traces: [JudgedTrace]) {
    self.traces = traces
    lateness = traces.reduce(.zero) { $0 + $1.iteration.totalLateness }
    activeTime = traces.reduce(.zero) { $0 + $1.iteration.activeTime }
  }

  /// Largest first, of equals the one that was met first.
  var causes: [Hitches.Cause] {
    var order: [CauseSignature] = []
    var parts: [CauseSignature: [(trace: Int, cause: Cause)]] = [:]
    for (number, trace) in traces.enumerated() {
      for cause in trace.causes {
        let key = CauseSignature(cause)
        if parts[key] == nil { order.append(key) }
        parts[key, default: []].append((number, cause))
      }
    }
    let causes = order.compactMap { key in parts[key].flatMap { pooled($0) } }
    return causes.enumerated().sorted {
      ($1.element.blame, $0.offset) < ($0.element.blame, $1.offset)
    }.map(\.element)
  }

  /// One cause, out of those iterations that have it.
  private func pooled(_ parts: [(trace: Int, cause: Cause)]) -> Hitches.Cause? {
    guard let most = parts.max(by: { $0.cause.blame < $1.cause.blame }) else { return nil }
    let blame = Duration.nanoseconds(parts.reduce(0) { $0 + $1.cause.blame })
    let shown = SpanPath(of: most.cause, loop: traces[most.trace].loop)
    return Hitches.Cause(
      path: most.cause.path,
      file: most.cause.file, line: Int(most.cause.line), blame: blame,
      ratio: blame / activeTime * 1000, share: blame / lateness,
      lead: shown.lead, names: shown.names,
      hitchCount: parts.reduce(0) { $0 + $1.cause.hitchCount }, ratioIfNormal: ifNormal(parts))
  }

  /// Iterations that don't have the cause stay as they were.
  private func ifNormal(_ parts: [(trace: Int, cause: Cause)]) -> Double? {
    var late = lateness / .milliseconds(1)
    for (number, cause) in parts {
      guard let ratio = cause.ratioIfNormal else { return nil }
      let iteration = traces[number].iteration
      late += ratio * (iteration.activeTime / .seconds(1))
      late -= iteration.totalLateness / .milliseconds(1)
    }
    return max(0, late) / (activeTime / .seconds(1))
  }
}
