internal import FlamelarkTrace

/// The names of spans that stand for whole frames: their own time is that of no span.
///
/// A program that wraps each pass in a span says as little of the time in it as one that doesn't. A
/// name is one if it is outermost on the loop's rows, about once a frame, and has nearly all of the
/// time that is in spans there.
struct FrameWrapping: Sendable {
  private var names: Set<NameID> = []

  /// Fewer say nothing about what comes once a frame.
  private static let leastFrames = 20

  var isEmpty: Bool { names.isEmpty }

  func contains(_ name: NameID) -> Bool { names.contains(name) }

  /// Their nodes in a tree.
  func nodes(in tree: PathTree) -> [PathTree.Node] {
    names.compactMap { tree.find($0, under: PathTree.runningLoop) }
  }

  /// O(spans of the loop's rows).
  init(of judged: JudgedFrames, in trace: Trace) {
    guard judged.series.mode != .spans, judged.series.frames.count >= Self.leastFrames else { return }
    var tallies: [NameID: (count: Int, time: Int64, wraps: Int)] = [:]
    var total: Int64 = 0
    let rows = Set(judged.series.frames.lazy.map(\.track))
    for row in rows where trace.tracks.indices.contains(row) {
      for span in trace.tracks[row].spans where trace.spans.parent[span] == Trace.Spans.none {
        let name = trace.callSites[Int(trace.spans.site[span].index)].name
        let time = trace.spans.end[span].minus(trace.spans.start[span])
        var tally = tallies[name] ?? (0, 0, 0)
        tally.count += 1
        tally.time = tally.time.plus(time)
        let next = span + 1
        if next < trace.tracks[row].spans.upperBound, trace.spans.parent[next] == UInt32(span) {
          tally.wraps += 1
        }
        tallies[name] = tally
        total = total.plus(time)
      }
    }
    let frames = judged.series.frames.count
    for (name, tally) in tallies
    where tally.count * 2 >= frames && tally.count * 2 <= frames * 3
      && tally.wraps * 2 >= tally.count
      && Double(tally.time) >= 0.8 * Double(total)
    {
      names.insert(name)
    }
  }
}
