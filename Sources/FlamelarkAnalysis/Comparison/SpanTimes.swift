internal import FlamelarkTrace

/// The self time of spans within some times, by their names, each run of digits as `#`.
///
/// Each instant belongs to the deepest span open at it on its row, the time of left-out spans to their
/// own name.
struct SpanTimes {
  private(set) var byName: [String: Int64] = [:]

  /// O(spans · log ranges). The ranges are ascending and apart.
  init(of trace: Trace, within ranges: [Range<Int64>]) {
    let covered = Covered(ranges)
    var times = Array(repeating: Int64(0), count: trace.names.count)
    func name(_ span: Int) -> Int {
      Int(trace.callSites[Int(trace.spans.site[span].index)].name.index)
    }
    for track in trace.tracks {
      for span in track.spans {
        let time = covered.time(from: trace.spans.start[span], to: trace.spans.end[span])
        guard time > 0 else { continue }
        times[name(span)] = times[name(span)].plus(time)
        let parent = trace.spans.parent[span]
        if parent != Trace.Spans.none, Int(parent) < trace.spans.count {
          times[name(Int(parent))] = times[name(Int(parent))].minus(time)
        }
      }
    }
    for sum in trace.folded where sum.reason == .belowMinimum && sum.selfTime > 0 {
      guard covered.contains(sum.range.lowerBound), Int(sum.site.index) < trace.callSites.count
      else { continue }
      let place = Int(trace.callSites[Int(sum.site.index)].name.index)
      times[place] = times[place].plus(sum.selfTime)
      if sum.parent != Trace.Spans.none, Int(sum.parent) < trace.spans.count {
        let around = name(Int(sum.parent))
        times[around] = times[around].minus(sum.selfTime)
      }
    }
    for (index, time) in times.enumerated() where time > 0 {
      let name = CauseSignature.withoutNumbers(trace.names[NameID(UInt32(index))])
      byName[name] = (byName[name] ?? 0).plus(time)
    }
  }

  /// How much of any time lies within some ranges.
  private struct Covered {
    private let ranges: [Range<Int64>]
    /// The time in the ranges before each.
    private let before: [Int64]

    init(_ ranges: [Range<Int64>]) {
      self.ranges = ranges
      var sum: Int64 = 0
      before = ranges.map { range in
        defer { sum = sum.plus(range.duration) }
        return sum
      }
    }

    func contains(_ time: Int64) -> Bool { ranges.index(holding: time) != nil }

    func time(from start: Int64, to end: Int64) -> Int64 {
      max(0, until(end).minus(until(start)))
    }

    private func until(_ time: Int64) -> Int64 {
      let index = ranges.partitionPoint { $0.lowerBound < time } - 1
      guard index >= 0 else { return 0 }
      let reached = min(time, ranges[index].upperBound)
      return before[index].plus(max(0, reached.minus(ranges[index].lowerBound)))
    }
  }
}
