internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// A block for each of the first three causes: what it is, where, and in its worst frame how.
  func blocks(_ series: Judgement) -> [String] {
    series.causes.filter { $0.kind != .other && $0.share >= 0.05 && isAsked($0, in: series) }
      .prefix(min(top ?? 3, 3)).enumerated()
      .flatMap { index, cause in block(of: cause, in: series, isFirst: index == 0) }
  }

  private func block(of cause: Cause, in series: Judgement, isFirst: Bool) -> [String] {
    let sentence = CauseSentence(
      cause: cause, loop: report.trace.loopRole(of: series.frames.series))
    let label = "hitch[\(cause.reasonWord)]: "
    let title = label + sentence.text(columns: width - columns(of: label))
    var lines = ["", style.bold(title)] + place(of: cause, in: series)
    let hitch = worstHitch(of: cause, in: series)
    if let hitch {
      lines.append("   |")
      lines += figure(of: hitch)
      lines += ledger(of: hitch, in: series).lines(width: width - 6).map { "   |  " + $0 }
    }
    lines.append("   |")
    func say(_ word: String, _ sentence: String) {
      lines += wrapped(sentence, width: width, first: "   = \(word): ", next: "           ")
    }
    say("note", confidence(of: cause, in: series))
    if let link = sentence.link { say("note", link) }
    if cause.kind == .folded {
      say("note", "each call was below the least duration; the trace has their sum")
    }
    if let gap = cause.gap { say("note", "most of it lies \(SpanGap(gap).text)") }
    if let help = help(for: cause) { say("help", help) }
    if let hitch { lines += commands(frame: hitch.frame.number, of: series, isFirst: isFirst) }
    return lines
  }

  /// In how many hitches, and how sure it is that it comes first.
  private func confidence(of cause: Cause, in series: Judgement) -> String {
    let hitches = series.hitches.count
    let counts =
      "in \(Figure.count(cause.hitchCount)) of \(Figure.count(hitches, "hitch", "hitches")), "
      + "first cause of \(Figure.count(cause.topCount)), "
      + "\(Figure.milliseconds(cause.blame)) ms late in all"
    guard let first = cause.confidence?.first else {
      return hitches < 5 ? counts + "; n = \(hitches): too few to say how sure that is" : counts
    }
    let others = series.causes.filter { !$0.isSame(as: cause) }
    let rival = others.max { $0.confidence?.first ?? 0 < $1.confidence?.first ?? 0 }
    var text = "rank 1 in \(Figure.percent(first)) % of resamples"
    if let rival, let part = rival.confidence?.first, part >= 0.005 {
      let name = path(of: rival, in: series).text(columns: 32)
      text += " (\(name): \(Figure.percent(part)) %)"
    }
    return text + "; " + counts
  }

  /// What to do where the trace has no name for it.
  private func help(for cause: Cause) -> String? {
    switch cause.kind {
    case .uninstrumented:
      return #"put what runs there into spans: withSpan("name") { … }"#
    case .blocked:
      return "say who ends the wait: TracedMutex, TracedCondition, TracedSemaphore, TracedQueue, "
        + "or withWait(…, on: point) beside point.signal()"
    case .preempted:
      return "another thread had the processor: fewer threads that are ready to run, or priorities"
    case .backlog: return "less work in every frame makes the slack that these frames lack"
    case .span, .folded, .queued, .other: return nil
    }
  }

  /// The commands to go on with.
  private func commands(frame: Int, of series: Judgement, isFirst: Bool) -> [String] {
    let view = report.view(of: series)
    var lines = commandLines(
      view.words("hitch", .whichFrames, operands: ["\(frame)"]), first: "   = help: ",
      width: width)
    guard isFirst else { return lines }
    let flame = view.words("flame --of blame", .ofFlame)
    let rest = flame.joined(separator: " ")
    if lines.count == 1, columns(of: lines[0]) + 5 + columns(of: rest) <= width {
      lines[0] += "     " + rest
    } else {
      lines += commandLines(flame, first: "           ", width: width)
    }
    return lines
  }

  /// Path and source line, on one line if there is room.
  private func place(of cause: Cause, in series: Judgement) -> [String] {
    let arrow = "  --> "
    guard let file = cause.file, !file.isEmpty else {
      return [arrow + path(of: cause, in: series).text(columns: width - 6)]
    }
    let line = cause.line > 0 ? ":\(cause.line)" : ""
    let location = shortened(PrintableText(file).text, to: width - 6 - line.count) + line
    let path = self.path(of: cause, in: series)
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
        $0 + ($1.isSame(as: cause) ? $1.blame : 0)
      }
      if blame > worst?.blame ?? 0 { worst = (hitch, blame) }
    }
    return worst?.hitch
  }

  private func figure(of hitch: Hitch) -> [String] {
    let label =
      "   |  frame \(hitch.frame.number) at \(Figure.seconds(hitch.window.lowerBound, decimals: 3)) s"
      + (report.trace.wallClock(at: hitch.window.lowerBound).map { " (\($0.time()) UTC)" } ?? "")
    let bar = BudgetBar(budget: hitch.budget, lateness: hitch.lateness)
    let room = width - columns(of: label) - 3
    if room >= 44 { return [label + "   " + bar.text(width: min(room, 60), style: style)] }
    return [label, "   |  " + bar.text(width: min(width - 6, 60), style: style)]
  }

  /// What bears the lateness of a hitch.
  private func ledger(of hitch: Hitch, in series: Judgement) -> HitchLedger {
    HitchLedger(hitch: hitch, loop: report.trace.loopRole(of: series.frames.series), most: 4)
  }
}

extension Cause {
  /// Whether it is the same cause, in another hitch or in the series.
  func isSame(as other: Cause) -> Bool {
    kind == other.kind && thread == other.thread && path == other.path
  }
}
