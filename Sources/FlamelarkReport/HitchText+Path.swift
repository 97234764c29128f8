internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension HitchText {
  /// The critical path from the beginning of the window to its end. The lines add up to it.
  var criticalPath: [String] {
    let hitch = report.hitch
    let path = CriticalPathLines(report.steps, most: showsAll ? nil : 24).lines
    guard let last = report.steps.last else { return [] }
    let length = hitch.window.upperBound - hitch.window.lowerBound
    let total = "\(Figure.milliseconds(length, decimals: 2)) ms"
    let title = style.bold("Critical path") + pad(total, to: min(width, 82) - 13, right: true)
    let hundredths = shares(of: Figure.rounded(length, to: 10_000), among: path.map(\.duration))
    var lines = ["", title, "    at ms       ms   = within the budget, ~ beyond it"]
    var place = (track: Optional(last.track), hops: 0)
    for (line, part) in zip(path, hundredths) {
      if line.track != place.track || line.hops != place.hops {
        lines += jump(from: place, to: line)
        place = (line.track, line.hops)
      }
      let at = Figure.milliseconds(line.range.lowerBound - hitch.window.lowerBound, decimals: 2)
      let isLate = line.range.upperBound - hitch.window.lowerBound > hitch.budget
      let times =
        pad(at, to: 9, right: true) + pad(Figure.decimal(part, decimals: 2), to: 9, right: true)
        + (isLate ? " ~ " : " = ")
      let indent = indent(line.hops)
      lines.append(times + indent + text(of: line, columns: width - 21 - indent.count))
    }
    let drawn = report.steps.count - path.count
    if drawn > 0 {
      lines.append(
        "  \(Figure.count(report.steps.count, "step")); short ones are drawn together, --all shows each"
      )
    }
    return lines
  }

  private func indent(_ hops: Int) -> String {
    String(repeating: "  ", count: min(hops, 12))
  }

  /// To which row the path goes, and by what.
  private func jump(
    from place: (track: Int?, hops: Int), to line: CriticalPathLines.Line
  ) -> [String] {
    let column = String(repeating: " ", count: 21)
    guard let track = line.track else { return [] }
    let name = thread(track)
    if line.hops > place.hops {
      let indent = indent(place.hops)
      return [
        shortened(column + indent + Self.arrow(line.link, to: name), to: width)
      ]
    }
    return [shortened(column + indent(line.hops) + "◀─ " + name + " goes on", to: width)]
  }

  private func thread(_ track: Int) -> String {
    guard report.trace.tracks.indices.contains(track) else { return "?" }
    return shortened(PrintableText(report.trace.tracks[track].name).text, to: 32)
  }

  private static func arrow(_ link: CriticalLink?, to thread: String) -> String {
    switch link {
    case .lock: "waits for a lock held by \(thread) ─▶"
    case .condition: "waits for a condition ─▶ \(thread)"
    case .semaphore: "waits for a semaphore ─▶ \(thread)"
    case .queue: "waits for work on a queue ─▶ \(thread)"
    case .await: "awaits ─▶ \(thread)"
    case .flow: "waits for what it asked for ─▶ \(thread)"
    case .stage: "waits for the stage before ─▶ \(thread)"
    case .wait, nil: "waits ─▶ \(thread)"
    }
  }

  private func text(of line: CriticalPathLines.Line, columns limit: Int) -> String {
    var note = line.earlierFrame.map { "  (of frame \($0))" } ?? ""
    if line.isShort { note += "  (\(Figure.count(line.steps.count, "short step")))" }
    let room = max(limit - columns(of: note), 12)
    if line.isShort {
      let name = line.path.isEmpty ? "…" : SpanPath(line.path).text(columns: room)
      return name + note
    }
    switch line.kind {
    case .other: return shortened("waits for its next frame", to: room) + note
    case .backlog: return shortened("waits for frames before it", to: room) + note
    case .uninstrumented:
      return SpanPath(line.path + ["(\(line.kind.rawValue))"]).text(columns: room) + note
    case .span: return SpanPath(line.path).text(columns: room) + note
    case .folded, .preempted, .blocked, .queued:
      return SpanPath(line.path, lead: "(\(line.kind.rawValue)) ").text(columns: room) + note
    }
  }
}
