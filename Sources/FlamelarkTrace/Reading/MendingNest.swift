/// The spans around the current one, for records that come backwards; writes each to its place.
/// Spans that don't nest are cut to fit.
///
/// Plain numbers and pointers, so that loops over records can keep a copy in registers. Whoever
/// holds the last copy gives the memory back.
@safe struct MendingNest {
  /// A span around the current one.
  struct Around {
    /// The first record of its subtree.
    var first: Int
    /// Its place in the columns.
    var place: UInt32
    /// How many spans are around it, and itself.
    var level: UInt32
    var tick: UInt64
    var start: Int64
    var end: Int64
    /// The beginning of the span inside it that was placed last, which is the next in time, or else
    /// its end.
    var nextStart: Int64

    init(first: Int, place: UInt32, level: UInt32, tick: UInt64, start: Int64, end: Int64) {
      self.first = first
      self.place = place
      self.level = level
      self.tick = tick
      self.start = start
      self.end = end
      nextStart = end
    }
  }

  private let sizes: UnsafeBufferPointer<UInt32>
  private let depths: UnsafeBufferPointer<UInt8>
  private let columns: SpanColumns
  private let base: Int
  private let firstTick: UInt64
  /// By depth + 1. The first is the thread, which is around everything. Spans that were left stay
  /// until another of their depth comes; that a subtree begins behind the next record tells them.
  private let around: UnsafeMutablePointer<Around>
  private var line = TickMap.Line()
  /// The number of records that are to come.
  private(set) var index: Int
  private(set) var latest = Int64.min
  /// Spans that reached out of the span around them or into the next.
  private(set) var repaired = 0
  /// Spans that began before the recording.
  private(set) var early = 0

  init(
    _ subtrees: SubtreeSizes, count: Int, into columns: SpanColumns, at base: Int, firstTick: UInt64
  ) {
    unsafe sizes = subtrees.sizes
    unsafe depths = subtrees.depths
    self.columns = columns
    self.base = base
    self.firstTick = firstTick
    index = count
    unsafe around = UnsafeMutablePointer.allocate(capacity: 257)
    let none = Around(first: .max, place: 0, level: 0, tick: 0, start: 0, end: 0)
    unsafe around.initialize(repeating: none, count: 257)
    unsafe around[0] = Around(
      first: 0, place: Trace.Spans.none, level: 0, tick: 0, start: .min, end: .max)
  }

  /// The beginning of the span at the top that was placed last.
  var nextTop: Int64 { unsafe around[0].nextStart }

  func deallocate() { unsafe around.deallocate() }

  /// Takes the place of the next record and writes it there.
  @inline(__always) @discardableResult
  mutating func place(_ span: SpanRecord, sites: SiteTable, map: TickMap) -> Int {
    // Fails for a file that changes while it is read alone.
    guard index > 0 else { return base }
    index &-= 1
    let level = unsafe around + (Int(depths[index]) &+ 1)
    var parent = unsafe level - 1
    // The span that is one less deep, but for damage.
    while unsafe parent.pointee.first > index { unsafe parent -= 1 }
    let first = unsafe index &- Int(truncatingIfNeeded: sizes[index]) &+ 1
    let place = unsafe base &+ first &+ Int(truncatingIfNeeded: parent.pointee.level)
    var (from, to) = (span.start, span.end)
    if from < firstTick {
      early &+= 1
      (from, to) = (firstTick, max(to, firstTick))
    }
    var start = map(from, on: &line)
    var end = map(to, on: &line)
    let (low, high) = unsafe (parent.pointee.start, parent.pointee.nextStart)
    // Clocks of two cores may differ by a little: nesting is what the thread did.
    if start < low || end > high || start > end {
      repaired &+= 1
      start = max(low, min(start, high))
      end = max(start, min(end, high))
    }
    columns.set(
      place, start: start, end: end, site: sites[span.site], parent: unsafe parent.pointee.place)
    latest = max(latest, end)
    unsafe parent.pointee.nextStart = start
    unsafe level.pointee = Around(
      first: first, place: UInt32(truncatingIfNeeded: place), level: parent.pointee.level &+ 1,
      tick: span.start, start: start, end: end)
    return place
  }

  /// The span around a sum of this depth that stands in front of the record placed last.
  func parent(ofDepth depth: UInt8, at tick: UInt64) -> Around? {
    var number = Int(depth)
    while number > 0 {
      let candidate = unsafe around[number]
      if candidate.first <= index, candidate.tick <= tick { return candidate }
      number -= 1
    }
    return nil
  }

  /// Nothing that was placed counts.
  mutating func forget() {
    unsafe around[0].nextStart = 0
    latest = 0
  }
}
