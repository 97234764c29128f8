import FlamelarkReport

@testable import FlamelarkAnalysis
@testable import FlamelarkTesting

/// Iterations that nobody ran: what is said of them doesn't depend on how they come about.
struct IterationsByHand {
  /// A cause in one iteration.
  struct Part {
    var kind = Cause.Kind.span
    var thread: String?
    var path: [String]
    var milliseconds: Int
    var line: UInt32 = 1
    var ifNormal: Double?
  }

  struct Iteration {
    var seconds: Int
    var parts: [Part]
    var explained = 1.0
    var preemptions = 0
    var lost: UInt64 = 0
  }

  var iterations: [Iteration]
  var selection = FrameSelection()
  var hasOtherSeries = false
  var folder = "/tmp/traces"

  func hitches() throws -> Hitches {
    Hitches(
      iterations.enumerated().map { judged($1, number: $0 + 1) }, selection: selection,
      folder: try TraceFolder(keepingIn: "/tmp"))
  }

  private func judged(_ iteration: Iteration, number: Int) -> JudgedTrace {
    let late = iteration.parts.reduce(0) { $0 + $1.milliseconds }
    let worst =
      late > 0
      ? Hitches.LateFrame(iteration: number, number: 7, lateness: .milliseconds(late)) : nil
    return JudgedTrace(
      series: "feed",
      iteration: Hitches.Iteration(
        number: number, count: late > 0 ? 1 : 0, totalLateness: .milliseconds(late),
        activeTime: .seconds(iteration.seconds), frameCount: 60 * iteration.seconds, worst: worst,
        preemptions: iteration.preemptions, trace: "\(folder)/FeedTests.scroll-\(number).lark"),
      causes: iteration.parts.map { cause($0, of: late) }, loop: "main",
      explained: iteration.explained * Double(late) * 1e6, lost: iteration.lost,
      hasOtherSeries: hasOtherSeries)
  }

  private func cause(_ part: Part, of late: Int) -> Cause {
    Cause(
      kind: part.kind, thread: part.thread, path: part.path, link: nil, gap: nil,
      file: part.path.isEmpty ? nil : "Feed/Feed.swift", line: part.line,
      blame: Int64(part.milliseconds) * 1_000_000,
      share: Double(part.milliseconds) / Double(late), hitchCount: 1, topCount: 1, normalTime: 0,
      lateTime: 0, normalCalls: 1, lateCalls: 1, confidence: nil, ratioIfNormal: part.ifNormal)
  }
}
