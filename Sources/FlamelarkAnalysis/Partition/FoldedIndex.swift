internal import FlamelarkTrace

/// The sums of left-out spans, by the span around them, then in the order of time.
///
/// Those at the top of a row stand behind all others, by row. Only sums that have a time and a place
/// are in it. O(sums · log sums) to make, eight bytes a sum.
struct FoldedIndex {
  private let trace: Trace
  private let order: [UInt32]
  /// Where the sums begin that have no span around them.
  private let firstTop: Int

  init(of trace: Trace) {
    self.trace = trace
    let spanCount = trace.spans.count
    var keys: [UInt64] = []
    for (index, sum) in trace.folded.enumerated() where sum.reason == .belowMinimum {
      let isTop = sum.parent == Trace.Spans.none
      guard isTop || Int(sum.parent) < spanCount, trace.tracks.indices.contains(sum.track),
        Int(sum.site.index) < trace.callSites.count
      else { continue }
      // Rows follow spans: a number that no span has is free for each.
      let group = isTop ? UInt64(spanCount + sum.track) : UInt64(sum.parent)
      keys.append(group << 32 | UInt64(UInt32(truncatingIfNeeded: index)))
    }
    keys.sort()
    var order = keys.map { UInt32(truncatingIfNeeded: $0) }
    var first = 0
    while first < order.count {
      var end = first + 1
      while end < order.count, keys[end] >> 32 == keys[first] >> 32 { end += 1 }
      if end - first > 1 {
        order[first..<end].sort {
          (Self.time(of: $0, in: trace), $0) < (Self.time(of: $1, in: trace), $1)
        }
      }
      first = end
    }
    self.order = order
    firstTop = keys.partitionPoint { $0 >> 32 < UInt64(spanCount) }
  }

  var isEmpty: Bool { order.isEmpty }

  /// The sum at a place.
  subscript(place: Int) -> Trace.FoldedSpans { trace.folded[Int(order[place])] }

  /// When the sum at a place begins, within the span around it.
  func time(at place: Int) -> Int64 { Self.time(of: order[place], in: trace) }

  /// Which of the trace's sums stands at a place.
  func index(at place: Int) -> Int { Int(order[place]) }

  /// The span around the sum at a place that is not at the top of a row.
  func span(at place: Int) -> Int { Int(self[place].parent) }

  /// The places of the sums that ran in some spans, by span. O(log sums).
  func places(ofSpans spans: Range<Int>) -> Range<Int> {
    let below = order[..<firstTop]
    let first = below.partitionPoint { Int(trace.folded[Int($0)].parent) < spans.lowerBound }
    let end = below[first...].partitionPoint {
      Int(trace.folded[Int($0)].parent) < spans.upperBound
    }
    return first..<end
  }

  /// Those of them that ran in one span and begin in a window. O(log sums).
  func places(ofSpan span: Int, in window: Range<Int64>) -> Range<Int> {
    places(ofSpans: span..<span + 1).within(window) { time(at: $0) }
  }

  /// The places of the sums at the top of a row that begin in a window. O(log sums).
  func topPlaces(ofTrack row: Int, in window: Range<Int64>) -> Range<Int> {
    top(ofTrack: row).within(window) { time(at: $0) }
  }

  /// The places of the sums at the top of a row. O(log sums).
  private func top(ofTrack track: Int) -> Range<Int> {
    let top = order[firstTop...]
    let first = top.partitionPoint { trace.folded[Int($0)].track < track }
    return first..<order[first...].partitionPoint { trace.folded[Int($0)].track <= track }
  }

  private static func time(of index: UInt32, in trace: Trace) -> Int64 {
    let sum = trace.folded[Int(index)]
    guard sum.parent != Trace.Spans.none else { return sum.range.lowerBound }
    let span = Int(sum.parent)
    return max(trace.spans.start[span], min(sum.range.lowerBound, trace.spans.end[span]))
  }
}

extension Range<Int> {
  /// The part of ascending times that lies in a window.
  fileprivate func within(_ window: Range<Int64>, _ time: (Int) -> Int64) -> Range<Int> {
    let first = partitionPoint { time($0) < window.lowerBound }
    return first..<self[first...].partitionPoint { time($0) < window.upperBound }
  }
}
