/// The spans around the current one, for records that come backwards; writes each to its place.
///
/// Plain numbers and pointers, so that loops over records can keep a copy in registers. Whoever
/// holds the last copy gives the memory back.
@safe struct SpanNest {
  /// A span around the current one.
  struct Around {
    /// The first record of its subtree.
    var first: Int
    /// Its place in the columns.
    var place: Int
    var tick: UInt64
    var depth: UInt8
    var start: Int64
    var end: Int64
    /// The beginning of the span inside it that was placed last, which is the next in time.
    var nextStart = Int64.max
  }

  private let sizes: UnsafePointer<UInt32>
  private let columns: SpanColumns
  private let base: Int
  private let firstTick: UInt64
  /// Outermost first. Each is deeper than the one before it, so there are 256 at most.
  private let around: UnsafeMutablePointer<Around>
  private var aroundCount = 0
  private var line = TickMap.Line()
  /// The number of records that are to come.
  private(set) var index: Int
  /// The beginning of the span at the top that was placed last.
  private(set) var nextTop = Int64.max
  private(set) var latest = Int64.min
  /// Spans that reached out of the span around them or into the next.
  private(set) var repaired = 0
  /// Spans that began before the recording.
  private(set) var early = 0

  init(_ survey: ThreadSurvey, into columns: SpanColumns, at base: Int, firstTick: UInt64) {
    unsafe sizes = survey.sizes
    self.columns = columns
    self.base = base
    self.firstTick = firstTick
    index = survey.count
    unsafe around = UnsafeMutablePointer.allocate(capacity: 257)
  }

  func deallocate() { unsafe around.deallocate() }

  /// Takes the place of the next record and writes it there.
  @inline(__always) @discardableResult
  mutating func place(_ span: SpanRecord, sites: SiteTable, map: TickMap) -> Int {
    // Fails for a file that changes while it is read alone.
    guard index > 0 else { return base }
    index &-= 1
    leaveSpans()
    let first = unsafe index &- Int(truncatingIfNeeded: sizes[index]) &+ 1
    let place = base &+ first &+ aroundCount
    var start = time(max(span.start, firstTick), map)
    var end = time(max(span.end, firstTick), map)
    if span.start < firstTick { early &+= 1 }
    var (low, high, next) = (Int64.min, Int64.max, nextTop)
    var parent = Trace.Spans.none
    if aroundCount > 0 {
      let last = unsafe around + (aroundCount &- 1)
      unsafe (low, high, next) = (last.pointee.start, last.pointee.end, last.pointee.nextStart)
      parent = unsafe UInt32(truncatingIfNeeded: last.pointee.place)
    }
    // Clocks of two cores may differ by a little: nesting is what the thread did.
    if start < low || end > min(high, next) || start > end {
      repaired &+= 1
      start = max(low, min(start, high, next))
      end = max(start, min(end, high, next))
    }
    columns.set(place, start: start, end: end, site: sites[span.site], parent: parent)
    if aroundCount > 0 {
      unsafe around[aroundCount &- 1].nextStart = start
    } else {
      nextTop = start
      latest = max(latest, end)
    }
    unsafe around[aroundCount] = Around(
      first: first, place: place, tick: span.start, depth: span.depth, start: start, end: end)
    aroundCount &+= 1
    return place
  }

  /// The span around the next record, if that one has this depth and tick.
  mutating func parent(ofDepth depth: UInt8, at tick: UInt64) -> Around? {
    leaveSpans()
    var number = aroundCount
    while number > 0 {
      number -= 1
      let candidate = unsafe around[number]
      if candidate.depth < depth, candidate.tick <= tick { return candidate }
    }
    return nil
  }

  /// Nothing that was placed counts.
  mutating func forget() { (nextTop, latest) = (0, 0) }

  /// Takes spans off the stack that the next record, before `index`, doesn't lie in.
  @inline(__always)
  private mutating func leaveSpans() {
    while aroundCount > 0, unsafe index < around[aroundCount &- 1].first { aroundCount &-= 1 }
  }

  @inline(__always)
  private mutating func time(_ tick: UInt64, _ map: TickMap) -> Int64 {
    if let time = line(tick) { return time }
    let found = map.find(tick)
    line = found.line
    return found.time
  }
}
