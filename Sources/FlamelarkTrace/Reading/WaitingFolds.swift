internal import FlamelarkFormat

/// Sums of left-out spans that wait for the span around them, whose record follows.
///
/// It is the first less deep one that didn't begin after them. O(1) a sum and depth it waits through.
struct WaitingFolds {
  private struct Waiting {
    /// Its place in ``folded``.
    var index: Int
    var tick: UInt64
  }

  /// All sums so far, in the order in which they came; those that wait, and any that wait in vain,
  /// stand at the top.
  private(set) var folded: [Trace.FoldedSpans] = []
  /// By depth.
  private var waiting: [[Waiting]] = Array(repeating: [], count: 256)
  /// No sum waits at a greater depth; nil if none does.
  private var deepest: Int?

  var isEmpty: Bool { deepest == nil }

  /// Adds a sum that stands in front of what comes now.
  mutating func add(_ fold: FoldRecord, track: Int, sites: SiteTable, map: TickMap) {
    waiting[Int(fold.depth)].append(Waiting(index: folded.count, tick: fold.start))
    deepest = max(deepest ?? 0, Int(fold.depth))
    folded.append(
      fold.folded(
        track: track, parent: Trace.Spans.none, parentEnd: .max, sites: sites, map: map))
  }

  /// A span comes, which began at a tick; it went to `place` and ends at `end`.
  mutating func meet(depth: UInt8, start: UInt64, place: Int, end: Int64) {
    let depth = Int(depth)
    guard let from = deepest, from > depth else { return }
    for deeper in depth + 1...from {
      for sum in waiting[deeper] {
        guard start <= sum.tick else {
          waiting[depth].append(sum)
          continue
        }
        folded[sum.index].parent = UInt32(truncatingIfNeeded: place)
        folded[sum.index].cut(at: end)
      }
      waiting[deeper].removeAll(keepingCapacity: true)
    }
    deepest = depth
    if depth == 0 { forget() }
  }

  /// What waits waits in vain: nothing is around it.
  mutating func forget() {
    for depth in 0...(deepest ?? 0) { waiting[depth].removeAll(keepingCapacity: true) }
    deepest = nil
  }

  /// Gives the sums away and begins anew.
  mutating func take() -> [Trace.FoldedSpans] {
    forget()
    defer { folded = [] }
    return folded
  }
}

extension Trace.FoldedSpans {
  /// Ends the range where the span around it does, if that is earlier.
  mutating func cut(at end: Int64) {
    range = range.lowerBound..<max(range.lowerBound, min(range.upperBound, end))
  }
}
