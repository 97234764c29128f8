internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread's part in a recording: its slots, and what others want done to its stack.
///
/// The owner alone touches the slots while it records. `stop()` on another thread takes `lock` and
/// reads what the owner has written so far; the owner takes it to write a slot.
@safe final class ThreadBuffer: @unchecked Sendable {
  // Unchecked: `writers` and `current` under `lock`, everything else under the recorder's lock.
  let key: UInt32
  let thread: UnsafeMutablePointer<fl_thread>
  let systemID: UInt32
  /// The recording that the slots belong to. Kept while the thread may write into them.
  var session: Session?
  /// Its slots. The first has its counts, open spans and sums; where full ones are handed over,
  /// records go to one after the other.
  private(set) var writers: [SlotWriter] = []
  /// Their jobs, where full slots are handed over.
  private var jobs: [UnsafeMutablePointer<HandOver.Job>] = unsafe []
  /// The number of the content that each was last handed over with, 0: none.
  private var handedOver: [UInt32] = []
  /// Which of them takes records.
  private var current = 0
  var name: UInt32 = 0
  var isNamedByProgram = false
  /// The recording that had no slot for this thread, and how many records that cost.
  var refusedBy = 0
  var refusedCount: UInt64 = 0
  /// `stop()` has written the slot: what comes now belongs to no recording.
  private var isFinished = false
  /// What the last chunk counts. The slot doesn't: whoever reads it counts its sums.
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

  /// Points the thread to its slots. Its open spans move along. On the owner's thread.
  func use(_ slots: [UnsafeMutableRawPointer], of session: Session) {
    let writers = unsafe slots.map { unsafe SlotWriter(slot: $0, kind: .events) }
    let home = writers[0]
    let stack = unsafe home.openSpans.assumingMemoryBound(to: fl_open_span.self)
    unsafe stack[-1] = fl_open_span()
    var depth = 0
    if let top = unsafe thread.pointee.top {
      depth = unsafe Int(fl_depth(top))
      unsafe stack.update(from: top - depth, count: depth)
      // What was left out inside them belongs to the recording before.
      for span in 0..<depth { unsafe stack[span].site &= UInt64(UInt32.max) }
    }
    self.session = session
    self.writers = writers
    unsafe jobs =
      session.handOver.map { other in unsafe writers.map { unsafe other.makeJob($0) } } ?? []
    handedOver = writers.map { _ in 0 }
    isFinished = false
    lastCounts = Self.noCounts
    unsafe thread.pointee.top = stack + depth
    unsafe thread.pointee.slot = home.base.assumingMemoryBound(to: UInt8.self)
    unsafe thread.pointee.session = UInt32(truncatingIfNeeded: session.number)
    unsafe thread.pointee.task = 0
    unsafe thread.pointee.open_task_spans = home.openTaskSpans.assumingMemoryBound(
      to: fl_open_task_span.self)
    unsafe thread.pointee.folds = home.folds.assumingMemoryBound(to: fl_fold.self)
    unsafe thread.pointee.book?.pointee = fl_fold_book()
    unsafe thread.pointee.cursor_limit = home.recordsLimit.assumingMemoryBound(to: UInt8.self)
    turn(to: 0)
    release()
  }

  /// Lets the thread's spans begin on the hot path again, once it leaves the cold one, with the
  /// filters that are in force. On the owner's thread.
  func release() {
    guard let session, let home = writers.first else { return }
    let stack = unsafe home.openSpans.assumingMemoryBound(to: fl_open_span.self)
    let filters = session.filters
    unsafe thread.pointee.stack_end = stack + filters.maximumDepth
    unsafe fl_set_minimum(thread, filters.greatestMinimum)
    takeRules()
    if filters.rules != nil || tables.followRules { fl_refresh_sites() }
    tables.followRules = filters.rules != nil
    let usesHotPath =
      unsafe session.clock == .timeStampCounter && thread.pointee.sees_tasks == 0
    unsafe thread.pointee.hot_limit = usesHotPath ? thread.pointee.stack_end : nil
    unsafe thread.pointee.ready = 1
    fl_refresh_folds()
  }

  /// Takes over the table of what call sites are left out by. On the owner's thread.
  func takeRules() {
    unsafe thread.pointee.rules = session?.filters.rules.flatMap { unsafe UnsafePointer($0.table) }
  }

  /// Writes the records and empties their slot, or hands it over and goes on in the next. On the
  /// owner's thread.
  func seal() -> CInt {
    guard let session else { return 0 }
    return lock.with {
      guard !isFinished else {
        turn(to: current)
        return 0
      }
      guard !writers.isEmpty, let cursor = unsafe thread.pointee.cursor else { return 0 }
      let byteCount = unsafe UnsafeMutableRawPointer(cursor) - writers[current].records
      let code =
        session.handOver.map { handOver(byteCount: byteCount, to: $0) }
        ?? writers[current].seal(byteCount: byteCount, into: session.file)
      if code == 0 { turn(to: current) }
      return code
    }
  }

  /// Goes on in the next slot, if that is clear. If not, the writer is behind, and waiting for it
  /// could take longer than writing.
  private func handOver(byteCount: Int, to other: HandOver) -> CInt {
    let next = (current + 1) % writers.count
    guard !isPending(next) else {
      return writers[current].seal(byteCount: byteCount, into: other.file)
    }
    let sequence = writers[current].sequence
    let end = TickClock.anchor()
    let job = unsafe jobs[current]
    unsafe job.pointee = HandOver.Job(writer: writers[current], byteCount: byteCount, end: end)
    handedOver[current] = sequence
    let code = unsafe other.take(job)
    guard code == 0 else { return code }
    current = next
    writers[current].begin(sequence: sequence + 1, at: end.tick)
    return 0
  }

  /// Whether a slot was handed over and is not clear yet.
  private func isPending(_ index: Int) -> Bool { writers[index].sequence == handedOver[index] }

  /// Lets records go to a slot, from its beginning.
  private func turn(to index: Int) {
    current = index
    let writer = writers[index]
    unsafe thread.pointee.cursor = writer.records.assumingMemoryBound(to: UInt8.self)
    let limit = unsafe writer.recordsLimit.assumingMemoryBound(to: UInt8.self)
    // While anything is left out the other limit is none.
    if unsafe thread.pointee.cursor_limit != nil { unsafe thread.pointee.cursor_limit = limit }
    unsafe thread.pointee.records_limit = limit
  }

  /// Takes spans off the stack that ended on other threads. On the owner's thread.
  func removeOrphans() {
    for orphan in orphans { fl_take_off(orphan.start, orphan.site) }
    orphans.removeAll()
  }

  /// Waits until what was handed over is written. Returns 0 or the error that prevents it. On the
  /// owner's thread.
  func waitForHandOver() -> CInt {
    guard let other = session?.handOver else { return 0 }
    for (index, writer) in writers.enumerated() where isPending(index) {
      let code = other.waitUntilClear(writer, of: handedOver[index])
      guard code == 0 else { return code }
    }
    return 0
  }

  /// Whether records go to this slot.
  func isUsing(_ writer: SlotWriter) -> Bool { unsafe writer.base == writers[current].base }

  /// Gives up the slot with what it holds, if that is little and nothing is open.
  ///
  /// - Returns: How many bytes are not written; nil: ``finish()`` has to write.
  func retire() -> Int? {
    guard !leavesSpansOpen, current == 0, let home = writers.first else { return nil }
    return lock.with {
      let byteCount = home.completeByteCount()
      guard !isFinished, byteCount <= RetiredSlots.mostBytes else { return nil }
      isFinished = true
      return byteCount
    }
  }

  /// Writes what the slots hold, and the open spans as such. On any thread, at the end.
  ///
  /// What was handed over may be written later: readers go by the numbers.
  func finish() -> CInt {
    guard let session else { return 0 }
    waitForSums()
    return lock.with {
      guard !isFinished, let home = writers.first else { return 0 }
      isFinished = true
      // The owner may be ending spans: one that was open at the look at its stack and has a record
      // has ended.
      let open = home.openStack()
      let hasSums = unsafe fl_load_acquire_half(&tables.book.pointee.used) != 0
      let sums = FinalSums(home, open: open, hasSums: hasSums)
      let byteCount = writers[current].completeByteCount()
      let ended = writers[current].spans(upTo: byteCount)
      let code = writers[current].seal(byteCount: byteCount, into: session.file)
      guard code == 0 else { return code }
      lastCounts = [sums.overDepth, sums.belowMinimum, sums.belowMinimumTicks, 0, 0]
      let rest = open.filter { span in !ended.contains { $0 == (span.start, span.depth) } }
      return writers[current].writeLast(
        sums.records + rest.flatMap(\.record), of: home, to: session.file)
    }
  }

  /// Waits until the owner doesn't work on its sums, which takes microseconds; not for long, since
  /// it may be waiting for the caller.
  private func waitForSums() {
    for _ in 0..<1000 where unsafe fl_is_folding(thread) { usleep(2) }
  }

  /// The five counts of the slot, with those of the last chunk.
  var counts: [UInt64] {
    guard let base = unsafe writers.first?.base else { return lastCounts }
    return zip(Slot.counts, lastCounts).map { offset, last in
      unsafe fl_load_acquire((base + offset).assumingMemoryBound(to: UInt64.self)) + last
    }
  }

  /// Leaves the thread, which ends, as if it had never recorded.
  func leaveThread() -> ThreadTables {
    // It is in the cold path, to leave it.
    let busy = unsafe thread.pointee.busy
    unsafe thread.pointee = fl_thread()
    unsafe thread.pointee.busy = busy
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
    unsafe thread.pointee.records_limit = (memory + Slot.recordsLimit)
      .assumingMemoryBound(to: UInt8.self)
    unsafe thread.pointee.cursor_limit = thread.pointee.records_limit
    unsafe thread.pointee.session = 0
    // Nothing is left out where nothing is recorded.
    unsafe fl_set_minimum(thread, 0)
    unsafe thread.pointee.rules = nil
    unsafe thread.pointee.book = nil
    fl_watch_thread_end(nil)
  }

  /// Counts with the slot what was lost while there was none.
  func takeRefused() {
    unsafe writers.first?.base
      .storeBytes(of: refusedCount, toByteOffset: Slot.lostCount, as: UInt64.self)
    refusedCount = 0
  }
}
