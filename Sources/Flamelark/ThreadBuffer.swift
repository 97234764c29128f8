internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread's part in a recording: its slot, and what others want done to its stack.
///
/// The owner alone touches the slot while it records. `stop()` on another thread takes `lock` and
/// reads what the owner has written so far; the owner takes it to write its slot.
@safe final class ThreadBuffer: @unchecked Sendable {
  // Unchecked: `writer` under `lock`, everything else under the recorder's lock.
  let key: UInt32
  let thread: UnsafeMutablePointer<fl_thread>
  let systemID: UInt32
  /// The recording that the slot belongs to. Kept while the thread may write into the slot.
  var session: Session?
  var writer: SlotWriter?
  var name: UInt32 = 0
  var isNamedByProgram = false
  /// The recording that had no slot for this thread, and how many records that cost.
  var refusedBy = 0
  var refusedCount: UInt64 = 0
  /// `stop()` has written the slot: what comes now belongs to no recording.
  private var isFinished = false
  /// What the last records of the slot count. The slot doesn't: whoever reads it counts its sums.
  private var lastCounts = ThreadBuffer.noCounts
  private static let noCounts: [UInt64] = [0, 0, 0, 0, 0]
  /// Spans of this thread's stack that ended on others and must be taken off.
  var orphans: [(start: UInt64, site: UInt32)] = []
  let lock = Lock()

  private let tables: ThreadTables

  init(
    key: UInt32, thread: UnsafeMutablePointer<fl_thread>, systemID: UInt32, tables: ThreadTables
  ) {
    self.key = key
    self.tables = tables
    unsafe self.thread = thread
    self.systemID = systemID
    unsafe thread.pointee.sites = tables.sites
    unsafe thread.pointee.book = tables.book
    unsafe thread.pointee.key = key
  }

  /// Points the thread to a slot. Its open spans move along. On the owner's thread.
  func use(_ slot: UnsafeMutableRawPointer, of session: Session) {
    let writer = unsafe SlotWriter(slot: slot, kind: .events)
    let stack = unsafe writer.openSpans.assumingMemoryBound(to: fl_open_span.self)
    var depth = 0
    if let top = unsafe thread.pointee.top {
      depth = unsafe Int(fl_depth(top))
      unsafe stack.update(from: top - depth, count: depth)
      // What was left out inside them belongs to the recording before.
      for span in 0..<depth { unsafe stack[span].site &= UInt64(UInt32.max) }
    }
    self.session = session
    self.writer = writer
    isFinished = false
    lastCounts = Self.noCounts
    unsafe thread.pointee.top = stack + depth
    unsafe thread.pointee.slot = writer.base.assumingMemoryBound(to: UInt8.self)
    unsafe thread.pointee.folds = writer.folds.assumingMemoryBound(to: fl_fold.self)
    unsafe thread.pointee.book?.pointee = fl_fold_book()
    rewind()
    unsafe thread.pointee.cursor_limit = writer.recordsLimit.assumingMemoryBound(to: UInt8.self)
    release()
  }

  /// Lets the thread's spans begin on the hot path again, with the filter that is in force. On the
  /// owner's thread.
  func release() {
    guard let session, let writer else { return }
    let stack = unsafe writer.openSpans.assumingMemoryBound(to: fl_open_span.self)
    unsafe thread.pointee.stack_end = stack + session.maximumDepth
    unsafe thread.pointee.minimum = session.minimumTicks
    let usesHotPath = session.clock == .timeStampCounter
    unsafe thread.pointee.stack_limit = usesHotPath ? thread.pointee.stack_end : nil
    unsafe thread.pointee.ready = 1
  }

  /// Writes the slot and empties it. On the owner's thread.
  func seal() -> CInt {
    guard let session else { return 0 }
    return lock.with {
      guard !isFinished else {
        rewind()
        return 0
      }
      guard let start = unsafe writer?.records, let cursor = unsafe thread.pointee.cursor else {
        return 0
      }
      let code = unsafe writer?.seal(
        byteCount: UnsafeMutableRawPointer(cursor) - start, into: session.file)
      if code == 0 { rewind() }
      return code ?? 0
    }
  }

  /// Begins the slot anew without writing it.
  func rewind() {
    unsafe thread.pointee.cursor = writer?.records.assumingMemoryBound(to: UInt8.self)
  }

  /// Takes spans off the stack that ended on other threads. On the owner's thread.
  func removeOrphans() {
    for orphan in orphans {
      guard let top = unsafe thread.pointee.top else { break }
      let depth = unsafe Int(fl_depth(top))
      let stack = unsafe top - depth
      for place in (0..<depth).reversed()
      where unsafe stack[place].start == orphan.start
        && UInt32(truncatingIfNeeded: stack[place].site) == orphan.site
      {
        for above in place..<depth - 1 { unsafe stack[above] = stack[above + 1] }
        unsafe stack[depth - 1].start = 0
        unsafe thread.pointee.top = top - 1
        break
      }
    }
    orphans.removeAll()
  }

  /// Gives up the slot with what it holds, if that is little and nothing is open.
  ///
  /// - Returns: How many bytes are not written; nil: ``finish()`` has to write.
  func retire() -> Int? {
    guard !leavesSpansOpen, let writer else { return nil }
    return lock.with {
      let byteCount = writtenByteCount(of: writer)
      guard !isFinished, byteCount <= RetiredSlots.mostBytes else { return nil }
      isFinished = true
      return byteCount
    }
  }

  /// Writes what the slot holds, and the open spans as such. On any thread, at the end.
  func finish() -> CInt {
    guard let session, var writer else { return 0 }
    return lock.with {
      guard !isFinished else { return 0 }
      isFinished = true
      let code = writer.seal(byteCount: writtenByteCount(of: writer), into: session.file)
      guard code == 0 else { return code }
      let rest: [UInt64] = foldRecords(of: writer) + openSpanRecords(of: writer)
      return writer.writeLast(rest, to: session.file)
    }
  }

  /// The bytes of the records that are complete: the owner may be writing the next one.
  private func writtenByteCount(of writer: SlotWriter) -> Int {
    var place = unsafe writer.records
    while unsafe place < writer.recordsLimit {
      let word = unsafe fl_load_acquire((place + 8).assumingMemoryBound(to: UInt64.self))
      if word == 0 { break }
      let units = word & EventRecord.extendedBit == 0 ? 1 : Int(word >> 40 & 0xFF)
      unsafe place += max(1, units) * 16
    }
    return unsafe place - writer.records
  }

  /// The sums that wait for the end of the spans around them, which is now.
  private func foldRecords(of writer: SlotWriter) -> [UInt64] {
    var words: [UInt64] = []
    lastCounts = Self.noCounts
    let folds = unsafe writer.folds.assumingMemoryBound(to: fl_fold.self)
    let count = unsafe tables.book.pointee.used == 0 ? 0 : Int(fl_fold_count)
    for index in 0..<count where unsafe folds[index].start != 0 {
      let fold = unsafe folds[index]
      words.append(fold.start << 8 | fold.place >> 4 & 0xFF)
      words.append(
        EventRecord.word1(.folded, id: UInt32(truncatingIfNeeded: fold.site), byteCount: 64))
      words += [
        fl_tick() &- fold.start, fold.count, fold.total, fold.total &- fold.nested,
        fold.longest, 0,
      ]
      lastCounts[1] += fold.count
      lastCounts[2] += fold.total
    }
    let stack = unsafe writer.openSpans.assumingMemoryBound(to: fl_open_span.self)
    for depth in 0..<255 where unsafe stack[depth].start != 0 && (stack[depth].site << 1) >> 33 != 0
    {
      // Without the bit that says that there are sums.
      let count = unsafe (stack[depth].site << 1) >> 33
      unsafe words.append(stack[depth].start << 8 | UInt64(depth + 1))
      words.append(EventRecord.word1(.overDepth, id: 0, byteCount: 32))
      words += [count, 0]
      lastCounts[0] += count
    }
    return words
  }

  private func openSpanRecords(of writer: SlotWriter) -> [UInt64] {
    var words: [UInt64] = []
    let stack = unsafe writer.openSpans.assumingMemoryBound(to: fl_open_span.self)
    for depth in 0..<255 where unsafe stack[depth].start != 0 {
      unsafe words.append(stack[depth].start << 8 | UInt64(depth))
      words.append(
        EventRecord.word1(
          .openSpan, id: unsafe UInt32(truncatingIfNeeded: stack[depth].site), byteCount: 16))
    }
    return words
  }

  /// The five counts of the slot, with what was counted when it was written for the last time.
  var counts: [UInt64] {
    guard let base = unsafe writer?.base else { return lastCounts }
    let offsets = [
      Slot.overDepthCount, Slot.belowMinimumCount, Slot.belowMinimumTicks, Slot.detachedCount,
      Slot.lostCount,
    ]
    return zip(offsets, lastCounts).map { offset, last in
      unsafe base.load(fromByteOffset: offset, as: UInt64.self) + last
    }
  }

  /// Leaves the thread, which ends, as if it had never recorded.
  func leaveThread() -> ThreadTables {
    unsafe thread.pointee = fl_thread()
    return tables
  }

  /// Whether the thread has spans that did not end, or sums that were not written.
  var leavesSpansOpen: Bool {
    guard let top = unsafe thread.pointee.top else { return false }
    return unsafe fl_depth(top) != 0 || tables.book.pointee.used != 0
  }

  /// Points a thread that has no buffer to memory that is no file, open spans included.
  static func redirect(
    _ thread: UnsafeMutablePointer<fl_thread>, to memory: UnsafeMutableRawPointer
  ) {
    let stack = unsafe (memory + Slot.openSpans).assumingMemoryBound(to: fl_open_span.self)
    if let top = unsafe thread.pointee.top {
      let depth = unsafe Int(fl_depth(top))
      unsafe stack.update(from: top - depth, count: depth)
      unsafe thread.pointee.top = stack + depth
    }
    unsafe fl_hold(thread)
    unsafe thread.pointee.buffer = nil
    unsafe thread.pointee.slot = memory.assumingMemoryBound(to: UInt8.self)
    unsafe thread.pointee.cursor = (memory + Slot.records).assumingMemoryBound(to: UInt8.self)
    unsafe thread.pointee.cursor_limit = (memory + Slot.recordsLimit)
      .assumingMemoryBound(to: UInt8.self)
    // Nothing is left out where nothing is recorded.
    unsafe thread.pointee.minimum = 0
    unsafe thread.pointee.book = nil
    fl_watch_thread_end(nil)
  }

  /// Counts with the slot what was lost while there was none.
  func takeRefused() {
    unsafe writer?.base.storeBytes(of: refusedCount, toByteOffset: Slot.lostCount, as: UInt64.self)
    refusedCount = 0
  }
}
