internal import FlamelarkFormat

/// A sum of spans that a filter left out, in ticks.
struct FoldRecord {
  var reason: Trace.FoldedSpans.Reason
  var start: UInt64
  /// The depth of the spans, as the recorder counts it.
  var depth: UInt8
  var site: UInt32 = 0
  /// Ticks to the end of the last.
  var extent: UInt64 = 0
  var count: UInt64
  var total: UInt64 = 0
  var own: UInt64 = 0
  var longest: UInt64 = 0

  /// Where the last ended.
  var end: UInt64 { start &+ extent }

  init(reason: Trace.FoldedSpans.Reason, start: UInt64, depth: UInt8, count: UInt64) {
    self.reason = reason
    self.start = start
    self.depth = depth
    self.count = count
  }

  /// The record that the cursor is at, nil if it is another.
  init?(_ cursor: EventCursor, start: UInt64) {
    let depth = UInt8(truncatingIfNeeded: cursor.word0)
    switch cursor.kind {
    case .folded:
      self.init(reason: .belowMinimum, start: start, depth: depth, count: cursor.word(3))
      site = cursor.identifier
      extent = cursor.word(2)
      total = cursor.word(4)
      own = cursor.word(5)
      longest = cursor.word(6)
    case .overDepth:
      self.init(reason: .overDepth, start: start, depth: depth, count: cursor.word(2))
    default:
      return nil
    }
  }

  /// The same in a trace, with nothing around it so far.
  func folded(track: Int, site: CallSiteID, time: (UInt64) -> Int64) -> Trace.FoldedSpans {
    let from = time(start)
    func nanoseconds(_ ticks: UInt64) -> Int64 { max(0, time(start &+ ticks) - from) }
    return Trace.FoldedSpans(
      reason: reason, track: track, parent: Trace.Spans.none, site: site,
      range: from..<from + nanoseconds(extent), count: Int(clamping: count),
      total: nanoseconds(total), selfTime: nanoseconds(own), longest: nanoseconds(longest))
  }
}
