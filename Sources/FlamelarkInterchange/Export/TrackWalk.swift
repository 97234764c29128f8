internal import FlamelarkTrace

/// Goes over the spans and frame scopes of one row in the order in which they begin and end.
///
/// What it gives always nests and is always closed: spans that cross an edge of the range are cut
/// there, those over the depth limit are left out.
struct TrackWalk {
  enum Step {
    case begin, end
    /// A span without a duration, where ends are kept apart from begins.
    case instant
    /// A span that was cut at an edge or had not ended; follows its begin or end.
    case cut
  }

  /// What begins or ends: a call site, or a frame.
  enum Label: Equatable {
    case site(CallSiteID)
    case frame
  }

  private struct Item {
    var start: Int64
    var end: Int64
    var label: Label
    /// The index of the span around it; `none` of a frame.
    var parent = Trace.Spans.none
    var span = Trace.Spans.none
    var isCutAtStart = false
    var isCutAtEnd = false
  }

  let trace: Trace
  let track: Int
  let frames: [Range<Int64>]
  let range: Range<Int64>?
  /// Keep ends apart from begins: readers of B and E differ where they fall together.
  let isNudging: Bool
  let depthLimit: Int

  /// Calls `body` for each step, in the order of time, with the span that it is of, `none` of a frame.
  func run<E: Error>(
    _ body: (Step, Label, Int64, UInt32) throws(E) -> Void
  ) throws(E) -> ExportSummary.Track {
    var summary = ExportSummary.Track(name: trace.tracks[track].name)
    let begins = isNudging ? beginTimes() : []
    var nextBegin = 0
    var open: [Item] = []

    func close(upTo time: Int64, except parent: UInt32 = Trace.Spans.none) throws(E) {
      while let item = open.last, item.end <= time {
        // A span without a duration may be inside of another.
        if parent != Trace.Spans.none, item.span == parent { return }
        open.removeLast()
        while nextBegin < begins.count, begins[nextBegin] < item.end { nextBegin += 1 }
        let isNudged = nextBegin < begins.count && begins[nextBegin] == item.end
        if isNudged { summary.nudged += 1 }
        let end = isNudged ? item.end - 1 : item.end
        try body(.end, item.label, end, item.span)
        if item.isCutAtEnd { try body(.cut, item.label, end, item.span) }
      }
    }

    var cursor = Cursor(walk: self)
    while let item = cursor.next() {
      try close(upTo: item.start, except: isNudging ? Trace.Spans.none : item.parent)
      if isNudging, item.start == item.end {
        summary.instants += 1
        try body(.instant, item.label, item.start, item.span)
        continue
      }
      if open.count >= depthLimit {
        summary.tooDeep += 1
        continue
      }
      if isNudging, item.end - item.start == 1, Self.contains(begins, item.end) {
        summary.emptied += 1
        continue
      }
      summary.slices += 1
      if item.isCutAtStart || item.isCutAtEnd { summary.cut += 1 }
      open.append(item)
      try body(.begin, item.label, item.start, item.span)
      if item.isCutAtStart { try body(.cut, item.label, item.start, item.span) }
    }
    try close(upTo: .max)
    return summary
  }

  /// When scopes begin, ascending.
  private func beginTimes() -> [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(trace.tracks[track].spans.count)
    var cursor = Cursor(walk: self)
    while let item = cursor.next() {
      if item.start < item.end, item.start != times.last { times.append(item.start) }
    }
    return times
  }

  private static func contains(_ times: [Int64], _ time: Int64) -> Bool {
    let index = firstIndex(in: times, notBelow: time)
    return index < times.count && times[index] == time
  }

  /// Where a value would stand in an ascending list.
  private static func firstIndex<T: Comparable>(in list: [T], notBelow value: T) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Spans and frames in one order, cut to the range.
  private struct Cursor {
    let walk: TrackWalk
    var nextSpan: Int
    var nextFrame = 0
    var nextUnfinished = 0

    init(walk: TrackWalk) {
      self.walk = walk
      nextSpan = walk.trace.tracks[walk.track].spans.lowerBound
      nextUnfinished = TrackWalk.firstIndex(in: walk.trace.spans.unfinished, notBelow: nextSpan)
    }

    mutating func next() -> Item? {
      while let item = nextUncut() {
        if let cut = cut(item) { return cut }
      }
      return nil
    }

    private mutating func nextUncut() -> Item? {
      let spans = walk.trace.spans
      let hasSpan = nextSpan < walk.trace.tracks[walk.track].spans.upperBound
      if nextFrame < walk.frames.count {
        let frame = walk.frames[nextFrame]
        if !hasSpan
          || FrameScopes.comesFirst(frame, before: spans.start[nextSpan], spans.end[nextSpan])
        {
          nextFrame += 1
          return Item(start: frame.lowerBound, end: frame.upperBound, label: .frame)
        }
      }
      guard hasSpan else { return nil }
      var item = Item(
        start: spans.start[nextSpan], end: spans.end[nextSpan],
        label: .site(spans.site[nextSpan]), parent: spans.parent[nextSpan],
        span: UInt32(nextSpan))
      if nextUnfinished < spans.unfinished.count, spans.unfinished[nextUnfinished] == nextSpan {
        item.isCutAtEnd = true
        nextUnfinished += 1
      }
      nextSpan += 1
      return item
    }

    private func cut(_ item: Item) -> Item? {
      guard let range = walk.range else { return item }
      guard item.start < range.upperBound,
        item.end > range.lowerBound || item.start >= range.lowerBound
      else { return nil }
      var cut = item
      if item.start < range.lowerBound {
        cut.start = range.lowerBound
        cut.isCutAtStart = true
      }
      if item.end > range.upperBound {
        cut.end = range.upperBound
        cut.isCutAtEnd = true
      }
      return cut
    }
  }
}
