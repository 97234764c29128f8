internal import FlamelarkFormat

/// The spans of a thread that wait for the span around them, for records that come forwards; writes
/// each to its place at once.
///
/// A span's place in the order of beginnings is the number of spans that ended before its first
/// descendant, and of those around it. In the order of ends a span comes behind its descendants, and
/// its depth says how many are around it: so both are known, if spans are sound. They are where each
/// directly follows those inside it, all of which are one deeper; where these lie within it and don't
/// overlap; and where in the end none waits but those at the top. Of such depths each is a tree, so
/// each place is then written once. Any others need ``MendingNest``.
///
/// Plain numbers and pointers, so that loops over records can keep a copy in registers. Whoever
/// holds the last copy gives the memory back.
@safe struct SoundNest {
  /// Spans of one depth that no span took in so far.
  private struct Level {
    /// The place of the span around them.
    var around = Int.max
    /// Where the first begins, and where the last ends.
    var start = UInt64.max
    var end: UInt64 = 0
  }

  private let columns: SpanColumns
  /// By depth, and one more for those inside the deepest, which stays empty.
  private let levels: UnsafeMutablePointer<Level>
  private var line = TickMap.Line()
  /// The places of the thread: where the next record's would be if nothing were around it, and the
  /// last one.
  private var next = 0
  private var last = -1
  private var lastDepth = 0
  private var areSound = true

  init(into columns: SpanColumns) {
    self.columns = columns
    unsafe levels = UnsafeMutablePointer.allocate(capacity: 257)
    unsafe levels.initialize(repeating: Level(), count: 257)
  }

  func deallocate() { unsafe levels.deallocate() }

  /// Goes to another thread, whose spans have these places.
  mutating func begin(_ places: Range<Int>) {
    unsafe levels.update(repeating: Level(), count: 257)
    // Nothing is around those at the top: of -1, which stays, 32 bits are Trace.Spans.none.
    unsafe levels[0].around = -1
    next = places.lowerBound
    last = places.upperBound - 1
    lastDepth = 0
    areSound = true
  }

  /// Whether the spans so far can be sound.
  var canBeSound: Bool { areSound }

  /// Whether all spans came and are sound, and none began before a tick.
  func isSound(since firstTick: UInt64) -> Bool {
    unsafe areSound && lastDepth == 0 && next == last + 1 && levels[0].start >= firstTick
  }

  /// The last end so far.
  var lastTick: UInt64 { (0...255).reduce(0) { unsafe max($0, levels[$1].end) } }

  /// The time of the last end.
  mutating func latest(_ map: TickMap) -> Int64 { map(lastTick, on: &line) }

  /// Whether another record has a place.
  var hasRoom: Bool { next <= last }

  /// Whether so many records have places.
  func hasRoom(for count: Int) -> Bool { count <= last + 1 - next }

  /// Writes the next record to its place. There must be room. 82 instructions, in a loop.
  ///
  /// Whatever the records say, the place is at or behind the thread's first, and less than 256 behind
  /// what there is room for, as ``SpanColumns/slack`` allows. For by induction, `around` of those that
  /// wait at a depth is at least the first place and the depth less one: it is a place less one of one
  /// of them, which is either `next`, at least the first place, and their depth, or `around` of those
  /// one deeper. Records behind the first unsound one write anything anywhere in there: the caller
  /// writes these places again, with all behind them.
  @inline(__always) @discardableResult
  mutating func place(
    start: UInt64, end: UInt64, depth: UInt8, site: CallSiteID, map: TickMap
  ) -> Int {
    let depth = Int(depth)
    let level = unsafe levels + depth
    let inside = unsafe level + 1
    if unsafe depth &+ 1 < lastDepth || inside.pointee.start < start || inside.pointee.end > end
      || level.pointee.end > start || start > end
    {
      areSound = false
    }
    let place = unsafe min(inside.pointee.around, next &+ depth)
    let around = unsafe min(level.pointee.around, place &- 1)
    unsafe inside.pointee = Level()
    unsafe level.pointee.around = around
    unsafe level.pointee.start = min(level.pointee.start, start)
    unsafe level.pointee.end = end
    next &+= 1
    lastDepth = depth
    unsafe columns.site[place] = site
    unsafe columns.parent[place] = UInt32(truncatingIfNeeded: around)
    unsafe columns.start[place] = map(start, on: &line)
    unsafe columns.end[place] = map(end, on: &line)
    return place
  }
}
