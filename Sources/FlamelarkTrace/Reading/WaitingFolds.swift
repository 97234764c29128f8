internal import FlamelarkFormat

/// Sums of left-out spans that wait for the span around them, whose record follows.
///
/// It is the first less deep one that didn't begin after them. O(1) a sum and depth it waits through.
struct WaitingFolds {
  private struct Waiting {
    /// Its place among the sums of the trace.
    var index: Int
    var tick: UInt64
  }

  private let sites: SiteTable
  private let map: TickMap
  private var line = TickMap.Line()
  /// By depth.
  private var waiting: [[Waiting]] = Array(repeating: [], count: 256)
  /// No sum waits at a greater depth; nil if none does.
  private var deepest: Int?

  init(sites: SiteTable, map: TickMap) {
    self.sites = sites
    self.map = map
  }

  var isEmpty: Bool { deepest == nil }

  /// Adds a sum that stands in front of what comes next. What waits in vain stays at the top.
  mutating func add(_ fold: FoldRecord, track: Int, to sums: inout Trace.FoldedSums) {
    waiting[Int(fold.depth)].append(Waiting(index: sums.count, tick: fold.start))
    deepest = max(deepest ?? 0, Int(fold.depth))
    sums.append(
      fold.folded(track: track, site: sites[fold.site]) { tick in map(tick, on: &line) })
  }

  /// A span comes, which began at a tick; it went to `place` and ends at `end`.
  mutating func meet(
    depth: UInt8, start: UInt64, place: Int, end: Int64, in sums: inout Trace.FoldedSums
  ) {
    let depth = Int(depth)
    guard let from = deepest, from > depth else { return }
    for deeper in depth + 1...from {
      for sum in waiting[deeper] {
        guard start <= sum.tick else {
          waiting[depth].append(sum)
          continue
        }
        sums.put(sum.index, into: UInt32(truncatingIfNeeded: place), until: end)
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
}

extension Trace.FoldedSpans {
  /// Ends the range where the span around it does, if that is earlier.
  mutating func cut(at end: Int64) {
    range = range.lowerBound..<max(range.lowerBound, min(range.upperBound, end))
  }
}
