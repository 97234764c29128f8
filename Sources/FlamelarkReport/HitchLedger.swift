internal import FlamelarkAnalysis

/// What bears the lateness of a hitch, line by line. The lines add up to it.
struct HitchLedger {
  let hitch: Hitch
  /// What the loop's own thread is for.
  let loop: String
  /// How many causes have a line of their own.
  let most: Int

  /// The lines in `width` columns.
  func lines(width: Int) -> [String] {
    let named = hitch.causes.filter { $0.kind != .other && $0.blame > 0 }
    let shown = named.prefix(most)
    let rest = named.dropFirst(shown.count)
    let other = hitch.causes.filter { $0.kind == .other }.reduce(0) { $0 + $1.blame }
    var rows = shown.map {
      (blame: $0.blame, path: SpanPath(of: $0, loop: loop), detail: detail(of: $0))
    }
    if !rest.isEmpty {
      let path = SpanPath([Figure.count(rest.count, "more cause")])
      rows.append((rest.reduce(0) { $0 + $1.blame }, path, ""))
    }
    if other > 0 { rows.append((other, SpanPath(["other variation"]), "")) }
    let total = Figure.rounded(hitch.lateness, to: 100_000)
    let tenths = shares(of: total, among: rows.map(\.blame))
    // Names keep some columns, however much there is to say.
    for index in rows.indices {
      rows[index].detail = shortened(rows[index].detail, to: width - 16 - 16)
    }
    let details = rows.map { columns(of: $0.detail) }.max() ?? 0
    let room = width - 16 - details
    let paths = rows.map { $0.path.text(columns: room) }
    let column = paths.map { columns(of: $0) }.max() ?? 0
    return rows.indices.filter { tenths[$0] > 0 }.map { index in
      withoutTrailingSpaces(
        pad(Figure.decimal(tenths[index], decimals: 1), to: 6, right: true) + " ms  "
          + pad(paths[index], to: column) + "    " + rows[index].detail)
    }
  }

  private func detail(of cause: Cause) -> String {
    let calls = Figure.calls(cause.lateCalls, "call")
    let normal = Figure.calls(cause.normalCalls)
    switch CauseReason(of: cause) {
    case .slower(let factor):
      if Figure.calls(cause.lateCalls) != normal {
        return "\(calls) (normal \(normal)), \(Figure.factor(factor)) the cost each"
      }
      return normal == "1"
        ? "1 call as usual, \(Figure.factor(factor)) its cost"
        : "same \(calls), \(Figure.factor(factor)) the cost each"
    case .moreCalls(let factor):
      return "\(calls) (normal \(normal)), \(Figure.factor(factor)) as many"
    case .new: return "in no good frame"
    case .rare: return "\(calls) (normal \(normal))"
    case .uninstrumented, .preempted, .blocked, .queued: return cause.change
    case .backlog: return "earlier frames still ran"
    case .other: return ""
    }
  }
}
