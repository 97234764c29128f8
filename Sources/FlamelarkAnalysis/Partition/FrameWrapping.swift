internal import FlamelarkTrace

/// The names of spans that stand for whole frames: their own time is that of no span.
///
/// A program that wraps each pass in a span says as little of the time in it as one that doesn't. A
/// name is one if it is outermost on the loop's rows, about once a frame, and has nearly all of the
/// time that is in spans there.
struct FrameWrapping: Sendable {
  private var names: [NameID] = []
  /// Whether each name of the trace is one.
  private var isName: [Bool] = []

  /// Fewer say nothing about what comes once a frame.
  private static let leastFrames = 20

  var isEmpty: Bool { names.isEmpty }

  func contains(_ name: NameID) -> Bool { isName[Int(name.index)] }

  /// What the outermost spans of a name come to.
  private struct Tally {
    var count = 0
    var time: Int64 = 0
    /// How many have another span in them.
    var wraps = 0
  }

  /// Their nodes in a tree.
  func nodes(in tree: PathTree) -> [PathTree.Node] {
    names.compactMap { tree.find($0, under: PathTree.runningLoop) }
  }

  /// O(spans of the loop's rows).
  init(of judged: JudgedFrames, in trace: Trace) {
    guard judged.series.mode != .spans, judged.series.frames.count >= Self.leastFrames else {
      return
    }
    var tallies = Array(repeating: Tally(), count: trace.names.count)
    var total: Int64 = 0
    let rows = Set(judged.series.frames.lazy.map(\.track))
    let (parents, sites) = (trace.spans.parent, trace.callSites.map(\.name))
    for row in rows where trace.tracks.indices.contains(row) {
      let spans = trace.tracks[row].spans
      for span in spans where parents[span] == Trace.Spans.none {
        let name = Int(sites[Int(trace.spans.site[span].index)].index)
        let time = trace.spans.end[span].minus(trace.spans.start[span])
        tallies[name].count += 1
        tallies[name].time = tallies[name].time.plus(time)
        if span + 1 < spans.upperBound, parents[span + 1] == UInt32(truncatingIfNeeded: span) {
          tallies[name].wraps += 1
        }
        total = total.plus(time)
      }
    }
    let frames = judged.series.frames.count
    for (name, tally) in tallies.enumerated()
    where tally.count * 2 >= frames && tally.count * 2 <= frames * 3
      && tally.wraps * 2 >= tally.count && Double(tally.time) >= 0.8 * Double(total)
    {
      names.append(NameID(UInt32(name)))
    }
    names.sort()
    guard !names.isEmpty else { return }
    isName = Array(repeating: false, count: trace.names.count)
    for name in names { isName[Int(name.index)] = true }
  }
}
