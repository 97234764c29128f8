internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// A block for each of the first three causes: what it is, where, and in its worst frame how.
  func blocks(_ series: Judgement) -> [String] {
    series.causes.filter { $0.kind != .other && $0.share >= 0.05 }.prefix(min(top ?? 3, 3))
      .flatMap { cause in block(of: cause, in: series) }
  }

  private func block(of cause: Cause, in series: Judgement) -> [String] {
    let reason = CauseReason(of: cause)
    let label = "hitch[\(reason.word)]: "
    let sentence = sentence(of: cause, reason, columns: width - columns(of: label))
    var lines = ["", style.bold(label + sentence)] + place(of: cause)
    if let hitch = worstHitch(of: cause, in: series) {
      lines.append("   |")
      lines += figure(of: hitch)
      lines += ledger(of: hitch).map { withoutTrailingSpaces("   |  " + $0) }
    }
    lines.append("   |")
    lines.append(
      "   = note: in \(Figure.count(cause.hitchCount)) of "
        + "\(Figure.count(series.hitches.count, "hitch", "hitches")), "
        + "first cause of \(Figure.count(cause.topCount)), "
        + "\(Figure.milliseconds(cause.blame)) ms late in all")
    if cause.kind == .folded {
      lines.append("   = note: each call was below the least duration; the trace has their sum")
    }
    if cause.kind == .uninstrumented {
      lines.append(#"   = help: put what runs there into spans: withSpan("name") { … }"#)
    }
    if let hitch = worstHitch(of: cause, in: series) {
      lines += exportCommand(frame: hitch.frame.number, of: series)
    }
    return lines
  }

  /// What is different, in at most `limit` columns: the name gives way.
  private func sentence(of cause: Cause, _ reason: CauseReason, columns limit: Int) -> String {
    let late = Figure.milliseconds(cause.lateTime) + " ms"
    // What is next to nothing in milliseconds has a unit of its own.
    let normal =
      cause.normalTime >= 50_000 || cause.normalTime == 0
      ? Figure.milliseconds(cause.normalTime) : Figure.duration(cause.normalTime)
    func named(_ path: [String], _ before: String, _ after: String) -> String {
      let room = limit - columns(of: before) - columns(of: after) - 2
      return "\(before)`\(SpanPath(path).leaf(columns: max(room, 12)))`\(after)"
    }
    switch reason {
    case .slower:
      return named(cause.path, "", " takes \(late) where good frames take \(normal)")
    case .moreCalls:
      let (late, normal) = (Figure.calls(cause.lateCalls), Figure.calls(cause.normalCalls))
      return named(cause.path, "", " runs \(late) times where good frames run it \(normal)")
    case .new: return named(cause.path, "", " takes \(late) and runs in no good frame")
    case .rare: return named(cause.path, "", " takes \(late) and runs in few good frames")
    case .noSpan, .preempted, .blocked, .queued, .backlog, .other:
      if cause.path.isEmpty {
        return "\(late) pass outside any span where good frames spend \(normal)"
      }
      return named(
        cause.path, "\(late) of ", " pass in no span of it where good frames spend \(normal)")
    }
  }

  /// Path and source line, on one line if there is room.
  private func place(of cause: Cause) -> [String] {
    let arrow = "  --> "
    guard let file = cause.file, !file.isEmpty else {
      return [arrow + SpanPath(of: cause).text(columns: width - 6)]
    }
    let line = cause.line > 0 ? ":\(cause.line)" : ""
    let location = shortened(PrintableText(file).text, to: width - 6 - line.count) + line
    let path = SpanPath(of: cause)
    if 6 + columns(of: path.text) + 4 + columns(of: location) <= width {
      return [arrow + pad(path.text, to: 44) + "    " + location]
        .map { columns(of: $0) <= width ? $0 : arrow + path.text + "    " + location }
    }
    return [arrow + path.text(columns: width - 6), arrow + location]
  }

  /// The hitch in which a cause bears most; of equals the first.
  private func worstHitch(of cause: Cause, in series: Judgement) -> Hitch? {
    var worst: (hitch: Hitch, blame: Int64)?
    for hitch in series.hitches {
      let blame = hitch.causes.reduce(0) {
        $0 + ($1.kind == cause.kind && $1.path == cause.path ? $1.blame : 0)
      }
      if blame > worst?.blame ?? 0 { worst = (hitch, blame) }
    }
    return worst?.hitch
  }

  private func figure(of hitch: Hitch) -> [String] {
    let label =
      "   |  frame \(hitch.frame.number) at \(Figure.seconds(hitch.window.lowerBound, decimals: 3)) s"
      + (report.wallClock(at: hitch.window.lowerBound).map { " (\($0.time()) UTC)" } ?? "")
    let bar = BudgetBar(budget: hitch.budget, lateness: hitch.lateness)
    let room = width - columns(of: label) - 3
    if room >= 44 { return [label + "   " + bar.text(width: min(room, 60), style: style)] }
    return [label, "   |  " + bar.text(width: min(width - 6, 60), style: style)]
  }

  /// What bears the lateness of a hitch. The lines add up to it.
  private func ledger(of hitch: Hitch) -> [String] {
    let named = hitch.causes.filter { $0.kind != .other && $0.blame > 0 }
    let shown = named.prefix(4)
    let rest = named.dropFirst(shown.count)
    let other = hitch.causes.filter { $0.kind == .other }.reduce(0) { $0 + $1.blame }
    var rows = shown.map { (blame: $0.blame, path: SpanPath(of: $0), detail: detail(of: $0)) }
    if !rest.isEmpty {
      let path = SpanPath([Figure.count(rest.count, "more cause")])
      rows.append((rest.reduce(0) { $0 + $1.blame }, path, ""))
    }
    if other > 0 { rows.append((other, SpanPath(["other variation"]), "")) }
    let total = Figure.rounded(hitch.lateness, to: 100_000)
    let tenths = shares(of: total, among: rows.map(\.blame))
    let details = rows.map { columns(of: $0.detail) }.max() ?? 0
    let room = max(24, width - 6 - 12 - 4 - details)
    let paths = rows.map { $0.path.text(columns: room) }
    let column = paths.map { columns(of: $0) }.max() ?? 0
    return rows.indices.filter { tenths[$0] > 0 }.map { index in
      pad(Figure.decimal(tenths[index], decimals: 1), to: 6, right: true) + " ms  "
        + pad(paths[index], to: column) + "    " + rows[index].detail
    }
  }

  private func detail(of cause: Cause) -> String {
    let calls = Figure.calls(cause.lateCalls) + (cause.lateCalls == 1 ? " call" : " calls")
    let normal = Figure.calls(cause.normalCalls)
    switch CauseReason(of: cause) {
    case .slower(let factor):
      if Figure.calls(cause.lateCalls) != normal {
        return "\(calls) (normal \(normal)), \(Figure.factor(factor)) the cost each"
      }
      return cause.lateCalls == 1
        ? "1 call as usual, \(Figure.factor(factor)) its cost"
        : "same \(calls), \(Figure.factor(factor)) the cost each"
    case .moreCalls(let factor):
      return "\(calls) (normal \(normal)), \(Figure.factor(factor)) as many"
    case .new: return "in no good frame"
    case .rare: return "\(calls) (normal \(normal))"
    case .noSpan: return "no span, \(change(of: cause))"
    case .preempted, .blocked, .queued, .backlog, .other: return ""
    }
  }
}
