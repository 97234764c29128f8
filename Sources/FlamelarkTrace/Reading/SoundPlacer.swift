internal import FlamelarkFormat

/// Puts the nested spans of threads into columns, in the order of their beginnings, if they are sound
/// as ``SoundNest`` says. Goes through the records once, forwards.
@safe struct SoundPlacer {
  private let columns: SpanColumns
  private let sites: SiteTable
  private let map: TickMap
  private let firstTick: UInt64
  private let unpacker: Unpacker
  private var nest: SoundNest
  private var folds: WaitingFolds
  /// Room for some unpacked records.
  private let some: UnsafeMutableRawBufferPointer

  /// No sound span begins before the tick at which the recording began; `map` gives the times of the
  /// trace.
  init(
    into columns: SpanColumns, sites: SiteTable, map: TickMap, firstTick: UInt64,
    unpacker: Unpacker
  ) {
    self.columns = columns
    self.sites = sites
    self.map = map
    self.firstTick = firstTick
    self.unpacker = unpacker
    nest = SoundNest(into: columns)
    folds = WaitingFolds(sites: sites, map: map)
    unsafe some = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 16, alignment: 64)
  }

  func deallocate() {
    nest.deallocate()
    unsafe some.deallocate()
  }

  /// Writes the columns of a thread whose first span goes to `base`, and adds to the sums what was
  /// left out. nil if the spans are not sound: then the thread's places hold anything.
  mutating func place(
    _ thread: ThreadRecords, at base: Int, track: Int, sums: inout Trace.FoldedSums
  ) -> PlacedSpans? {
    let known = sums.count
    let placed = placeAll(of: thread, at: base, track: track, sums: &sums)
    folds.forget()
    if placed == nil { sums.removeAll(from: known) }
    return placed
  }

  private mutating func placeAll(
    of thread: ThreadRecords, at base: Int, track: Int, sums: inout Trace.FoldedSums
  ) -> PlacedSpans? {
    nest.begin(base..<base + thread.count)
    for (chunk, extent) in zip(thread.chunks, thread.extents) {
      guard place(chunk, extent, track: track, sums: &sums), nest.canBeSound else { return nil }
    }
    for fold in thread.pendingFolds { folds.add(fold, track: track, to: &sums) }
    var placed = PlacedSpans()
    placed.lastTick = nest.lastTick
    for span in thread.open where nest.hasRoom {
      let place = place(SpanRecord(open: span), sums: &sums)
      placed.unfinished.append(place)
      if span.end == 0 { placed.unended.append(place) }
    }
    guard nest.isSound(since: firstTick) else { return nil }
    placed.unfinished.sort()
    if thread.count > 0 {
      placed.earliest = unsafe columns.start[base]
      placed.latest = placed.unended.isEmpty ? nest.latest(map) : nil
    }
    return placed
  }

  /// false if there are not as many spans as there were: the file changes while it is read.
  private mutating func place(
    _ chunk: Chunk, _ extent: ThreadRecords.Extent, track: Int, sums: inout Trace.FoldedSums
  ) -> Bool {
    guard nest.hasRoom(for: extent.spanCount) else { return false }
    let ticks = TickCompletion(chunk)
    guard extent.isPlain, folds.isEmpty else {
      return placeAll(of: chunk, extent, ticks, track: track, sums: &sums)
    }
    guard chunk.isPacked else {
      unsafe place(UnsafeRawBufferPointer(rebasing: chunk.bytes[..<extent.byteCount]), ticks)
      return true
    }
    guard
      var spans = unsafe PackedSpans(
        chunk.bytes, firstTick: chunk.firstTick, count: extent.spanCount)
    else { return false }
    // Some at a time, which stay in the processor's nearest cache.
    for first in unsafe stride(from: 0, to: extent.byteCount, by: some.count) {
      let records = unsafe UnsafeMutableRawBufferPointer(
        rebasing: some[..<min(some.count, extent.byteCount - first)])
      unsafe spans.unpack(into: records)
      unsafe place(UnsafeRawBufferPointer(records), ticks)
    }
    return true
  }

  /// Plain spans.
  private mutating func place(_ records: UnsafeRawBufferPointer, _ ticks: TickCompletion) {
    if ticks.areComplete {
      nest = unsafe Self.place(records, { $0 >> 8 }, in: nest, sites: sites, map: map)
    } else {
      nest = unsafe Self.place(records, ticks.tick, in: nest, sites: sites, map: map)
    }
  }

  /// The state goes in and out as a value: then the loop keeps it in registers.
  @inline(__always)
  private static func place(
    _ records: UnsafeRawBufferPointer, _ tick: (UInt64) -> UInt64, in nest: SoundNest,
    sites: SiteTable, map: TickMap
  ) -> SoundNest {
    var nest = nest
    guard var record = records.baseAddress else { return nest }
    let end = unsafe record + (records.count & ~15)
    while unsafe record < end {
      let word0 = UInt64(littleEndian: unsafe record.loadUnaligned(as: UInt64.self))
      let word1 = UInt64(
        littleEndian: unsafe record.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      unsafe record += 16
      let start = tick(word0)
      nest.place(
        start: start, end: start &+ word1 >> 32, depth: UInt8(truncatingIfNeeded: word0),
        site: sites[UInt32(truncatingIfNeeded: word1)], map: map)
    }
    return nest
  }

  /// A chunk with other records, or one that sums wait for.
  private mutating func placeAll(
    of chunk: Chunk, _ extent: ThreadRecords.Extent, _ ticks: TickCompletion, track: Int,
    sums: inout Trace.FoldedSums
  ) -> Bool {
    let records = unsafe unpacker.records(of: chunk)
    guard records.count >= extent.byteCount else { return false }
    var cursor = unsafe EventCursor(
      UnsafeRawBufferPointer(rebasing: records[..<extent.byteCount]))
    while cursor.advance() {
      let start = ticks.tick(cursor.word0)
      if !cursor.isSpan, let fold = FoldRecord(cursor, start: start) {
        folds.add(fold, track: track, to: &sums)
      } else if let span = SpanRecord(cursor, start: start) {
        guard nest.hasRoom else { return false }
        place(span, sums: &sums)
      }
    }
    return true
  }

  @discardableResult
  private mutating func place(_ span: SpanRecord, sums: inout Trace.FoldedSums) -> Int {
    let place = nest.place(
      start: span.start, end: span.end, depth: span.depth, site: sites[span.site], map: map)
    if !folds.isEmpty {
      unsafe folds.meet(
        depth: span.depth, start: span.start, place: place, end: columns.end[place], in: &sums)
    }
    return place
  }
}
