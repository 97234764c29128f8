import FlamelarkTrace
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What a frame of the first series spent its time on, a line a step: its time, its row, what it was if
/// not a span's, the path, and by what the frame came to wait for it, with the number of hops if more
/// than one.
func stepLines(_ trace: Trace, frame: Int = 0) -> [String] {
  steps(trace, frame: frame).map { step in
    var line = "\(step.range.lowerBound)-\(step.range.upperBound) \(trace.tracks[step.track].name)"
    if step.kind != .span { line += " (\(step.kind))" }
    if !step.path.isEmpty { line += " " + step.path.joined(separator: ">") }
    if let link = step.link { line += " by \(link)" }
    if step.hops > 1 { line += " \(step.hops)" }
    return line
  }
}

func steps(_ trace: Trace, frame: Int = 0) -> [CriticalStep] {
  let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
  var walk = CriticalWalk(of: judged, in: trace)
  var collector = StepCollector()
  walk.walk(frame, of: judged, &collector)
  return collector.steps(walk.tree, names: trace.names)
}

extension TraceBuilder {
  /// A series whose first frame goes from 0 to a time on the first row. More frames follow, so that no
  /// span is taken for one that stands for the frame.
  mutating func firstFrame(until end: Int64) {
    marks("game", at: [0] + (0..<8).map { end + $0 }, refresh: end)
  }
}
