internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What this process records: the current session, the threads in it and the names they use.
///
/// One object for the life of the process. Everything here is behind one lock, taken when a thread
/// meets a recording, a call site or its end: never once a span.
@safe final class Recorder: @unchecked Sendable {
  // Unchecked: all variables under `lock`.
  static let shared = Recorder()

  private let lock = Lock()
  private var session: Session?
  /// Each recording of this process has a number, greater than the one before.
  private var sessions = 0
  private var buffers: [ThreadBuffer] = []
  private var lastThreadKey: UInt32 = 0
  /// Of threads that have ended, for those to come: what they cached holds for the whole process.
  private var spareTables: [ThreadTables] = []
  private var registry = Registry()
  private var keptTexts = KeptTexts()
  /// The program's code, when somebody looked last.
  private var modules = LoadedModules()
  /// Where a forked child's open spans end: memory that is no file.
  private let scratch: UnsafeMutableRawPointer

  private init() {
    unsafe scratch = .allocate(byteCount: Slot.byteCount, alignment: 4096)
    unsafe fl_install(
      fl_hooks(
        attach: { Recorder.shared.attach() },
        seal: { Recorder.shared.seal() },
        site: { name, file, line, category in
          unsafe Recorder.shared.site(name: name, file: file, line: line, category: category)
        },
        detach: { buffer in unsafe Recorder.shared.detach(buffer) },
        orphan: { key, start, site in Recorder.shared.orphan(key: key, start: start, site: site) }
      ))
    atexit {
      do {
        try Recorder.shared.stop(path: nil)
      } catch {
        StandardError.say("\(error)")
      }
    }
    pthread_atfork(
      { Recorder.shared.lock.lock() },
      { Recorder.shared.lock.unlock() },
      { Recorder.shared.becomeChild() })
  }
}

// MARK: - From start to stop

extension Recorder {
  /// Starts a recording and returns the path of its file.
  func start(path: String, options: Recording.Options) throws(RecordingError) -> String {
    guard options.arePossible else { throw RecordingError(.invalidOptions, path: path) }
    let loaded = LoadedModules.look()
    lock.lock()
    defer { lock.unlock() }
    guard session == nil else { throw RecordingError(.alreadyRecording, path: path) }
    modules = loaded
    sessions += 1
    let session = try Session(path: path, number: sessions, options: options)
    tellNames(to: session)
    self.session = session
    fl_set_recording(UInt32(truncatingIfNeeded: session.number))
    return session.path
  }

  /// Ends the recording of this path, or any if `path` is nil; nothing if it has ended.
  func stop(path: String?) throws(RecordingError) {
    tellNewModules()
    lock.lock()
    defer { lock.unlock() }
    guard let session, path == nil || session.belongs(to: path) else { return }
    let failure = finish(session)
    guard failure == 0 else {
      throw RecordingError(
        failure == ENOENT ? .fileRemoved : .cannotWriteFile, path: session.path, errno: failure)
    }
    if let error = session.rotationError { throw error }
  }

  /// Writes what is left of a session and closes its files. Returns 0 or the error.
  private func finish(_ session: Session) -> CInt {
    suspend()
    self.session = nil
    var failure = session.failure
    // Before and after: one that ends in between may be in neither, and a reader takes each once.
    let openBefore = session.live.openTaskSpans
    for buffer in buffers where buffer.session === session {
      let code = buffer.finish()
      if failure == 0 { failure = code }
      tellEnd(of: buffer, hasEnded: false, in: session)
    }
    let codes = [
      session.handOver?.finish() ?? 0,
      session.retired.write(to: session.file, live: session.live),
    ]
    for code in codes where failure == 0 { failure = code }
    let dropped = fl_take_dropped()
    if dropped > 0 {
      session.definitions.add(loss: .signalHandler, errno: 0, count: dropped, tick: fl_tick())
    }
    for buffer in buffers { tellRefused(buffer, by: session) }
    for span in openBefore + session.live.openTaskSpans { session.definitions.add(open: span) }
    let untracked = fl_take_untracked_task_spans()
    if untracked > 0 {
      session.definitions.add(loss: .openTaskSpans, errno: 0, count: untracked, tick: fl_tick())
    }
    if session.definitions.lostCount > 0 {
      session.definitions.add(
        loss: .definitions, errno: failure, count: session.definitions.lostCount, tick: fl_tick())
    }
    session.definitions.add(anchor: TickClock.anchorWithRealtime())
    session.definitions.add(endAt: fl_tick())
    session.definitions.seal()
    if failure == 0 { failure = session.definitions.failure }
    session.file.close()
    // Without the trace file it is of no use.
    session.live.close(removing: failure == 0 || failure == ENOENT)
    return failure
  }

  /// Goes on in another file, with the lock held.
  private func rotate(_ full: Session) {
    guard full.options.whenFull == .rotate, full.rotationError == nil else { return }
    sessions += 1
    let next: Session
    do {
      next = try Session(path: full.asked, number: sessions, options: full.options)
    } catch {
      full.rotationError = error
      full.definitions.add(loss: .writeFailed, errno: error.errno, count: 0, tick: fl_tick())
      suspend()
      return
    }
    _ = finish(full)
    if let old = full.previousPath { unsafe unlink(old) }
    next.previousPath = full.path
    next.firstPath = full.firstPath
    tellNames(to: next)
    session = next
    fl_set_recording(UInt32(truncatingIfNeeded: next.number))
  }

  /// Lets no span begin from now on. In this order: a thread that is not held looks no further.
  private func suspend() {
    hold()
    fl_set_recording(0)
  }

  /// Sends each thread's next span here.
  private func hold() {
    for buffer in buffers { unsafe fl_hold(buffer.thread) }
  }

  private func tellNames(to session: Session) {
    let definitions = session.definitions
    for (index, text) in registry.strings.enumerated() {
      definitions.add(string: text, id: UInt32(index + 1))
    }
    for (index, site) in registry.sites.enumerated() {
      definitions.add(site: site, id: UInt32(index + 1))
    }
    for (index, series) in registry.series.enumerated() {
      definitions.add(series: series, id: UInt32(index + 1))
    }
    for (name, value) in HostFacts.properties() {
      definitions.add(
        .property, fields: string(name, in: definitions), string(value, in: definitions))
    }
    tellModules(to: session)
    applyFilters(of: session)
  }

  /// Tells of code that was loaded since somebody looked. Without the lock held.
  private func tellNewModules() {
    guard fl_is_recording(), let loaded = LoadedModules.lookIfChanged() else { return }
    lock.with {
      modules = loaded
      if let session { tellModules(to: session) }
      checkDefinitions()
    }
  }

  private func tellModules(to session: Session) {
    for module in modules.modules where session.toldModules.insert(module).inserted {
      let definitions = session.definitions
      let buildID = module.buildID.isEmpty ? 0 : string(module.buildID, in: definitions)
      definitions.add(
        module: module, path: string(module.path, in: definitions), buildID: buildID,
        tick: fl_tick())
    }
  }

  /// Decides for all call sites by what, and tells it in the trace.
  private func applyFilters(of session: Session) {
    for (index, site) in registry.sites.enumerated() {
      decide(site, id: UInt32(index + 1), in: session)
    }
    for filter in session.options.filters {
      let (isName, text) =
        switch filter.subject {
        case .name(let name): (true, name)
        case .category(let category): (false, category)
        }
      session.definitions.add(
        filter: filter, isName: isName, text: string(text, in: session.definitions),
        tick: fl_tick())
    }
  }

  private func decide(_ site: Registry.Site, id: UInt32, in session: Session) {
    session.filters.add(
      site: id, name: registry.text(site.name), category: registry.text(site.category))
  }

  /// Changes what the recording of this path leaves out.
  func changeFilters(
    path: String, _ change: (inout Recording.Options) -> Void
  ) throws(RecordingError) {
    lock.lock()
    defer { lock.unlock() }
    guard let session, session.belongs(to: path) else { return }
    var options = session.options
    change(&options)
    guard options.arePossible else { throw RecordingError(.invalidOptions, path: path) }
    session.changeFilters(to: options)
    session.definitions.add(
      filterAt: fl_tick(), maximumDepth: UInt32(options.maximumDepth),
      minimumDuration: options.minimumDuration.wholeNanoseconds)
    applyFilters(of: session)
    // Each thread takes it over before its next span.
    hold()
  }

  /// What comes now can't be written: the recording ends here, and says why.
  private func fail(_ session: Session, _ code: CInt) {
    guard session.failure == 0 else { return }
    session.failure = code
    session.definitions.add(loss: .writeFailed, errno: code, count: 0, tick: fl_tick())
    suspend()
  }

  /// A recording whose names can't be written any more ends.
  private func checkDefinitions() {
    if let session, session.definitions.failure != 0 { fail(session, session.definitions.failure) }
  }

  private func string(_ text: String, in definitions: Definitions?) -> UInt32 {
    let (id, isNew) = registry.string(text)
    if isNew { definitions?.add(string: text, id: id) }
    return id
  }

  private func tellEnd(of buffer: ThreadBuffer, hasEnded: Bool, in session: Session) {
    let definitions = session.definitions
    if !buffer.isNamedByProgram {
      // A thread that ends knows its own name; another one's is in a file of the system's.
      let text =
        hasEnded
        ? SystemFile.currentThreadName(buffer.systemID, of: session.processID)
        : SystemFile.threadName(buffer.systemID, of: session.processID)
      let name = string(text, in: definitions)
      if name != buffer.name { definitions.add(.threadName, fields: buffer.key, name) }
    }
    definitions.add(
      countsOf: buffer.key, hasEnded: hasEnded, tick: fl_tick(), counts: buffer.counts)
  }

  /// Tells what a thread without a slot did not record.
  private func tellRefused(_ buffer: ThreadBuffer, by session: Session) {
    guard buffer.refusedBy == session.number, buffer.refusedCount > 0 else { return }
    session.definitions.add(
      countsOf: buffer.key, hasEnded: false, tick: fl_tick(),
      counts: [0, 0, 0, 0, buffer.refusedCount])
  }

  /// The child of a fork has its parent's slots mapped. It must not write there, nor its file.
  private func becomeChild() {
    fl_set_recording(0)
    let thread = unsafe fl_current()
    unsafe ThreadBuffer.redirect(thread, to: scratch)
    buffers.removeAll()
    session?.live.abandon()
    session?.file.abandon()
    session = nil
    lock.unlock()
  }
}

// MARK: - Threads

extension Recorder {
  /// Makes the calling thread ready to record.
  private func attach() -> Bool {
    tellNewModules()
    lock.lock()
    defer { lock.unlock() }
    if let full = session, full.isFilled { rotate(full) }
    guard let session, session.failure == 0, !session.isFilled else { return false }
    let buffer = currentBuffer() ?? newBuffer()
    if buffer.session !== session {
      // Where there was no space, there may be a slot that another thread gave back.
      let isRefused = buffer.refusedBy == session.number
      let slots =
        unsafe !isRefused || session.live.hasFreeSlot
        ? session.live.takeSlots(session.slotsPerThread, threadKey: buffer.key) : []
      guard unsafe !slots.isEmpty else {
        refuse(buffer, of: session)
        return false
      }
      unsafe buffer.use(slots, of: session)
      if isRefused { buffer.takeRefused() } else { tell(buffer, to: session) }
    }
    buffer.removeOrphans()
    buffer.release()
    return true
  }

  /// There is no space for a thread: what it records is lost, and counted.
  private func refuse(_ buffer: ThreadBuffer, of session: Session) {
    if buffer.refusedBy != session.number {
      buffer.refusedBy = session.number
      buffer.refusedCount = 0
      tell(buffer, to: session)
      session.definitions.add(
        loss: .noSlot, errno: session.live.failure, count: 1, tick: fl_tick())
    }
    buffer.refusedCount += 1
  }

  private func tell(_ buffer: ThreadBuffer, to session: Session) {
    let definitions = session.definitions
    if !buffer.isNamedByProgram {
      let name = SystemFile.currentThreadName(buffer.systemID, of: session.processID)
      buffer.name = string(name, in: definitions)
    }
    definitions.add(
      thread: buffer.key, systemID: buffer.systemID, name: buffer.name, tick: fl_tick())
    unsafe buffer.thread.pointee.told = UInt32(truncatingIfNeeded: session.number)
    checkDefinitions()
  }

  private func currentBuffer() -> ThreadBuffer? {
    guard let pointer = unsafe fl_current().pointee.buffer else { return nil }
    return unsafe Unmanaged<ThreadBuffer>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The number of the recording that the calling thread records into, 0: none. It changes by what
  /// that thread does.
  var sessionOfThisThread: Int { currentBuffer()?.session?.number ?? 0 }

  private func newBuffer() -> ThreadBuffer {
    lastThreadKey += 1
    let buffer = unsafe ThreadBuffer(
      key: lastThreadKey, thread: fl_current(), systemID: fl_thread_id(),
      tables: spareTables.popLast() ?? ThreadTables())
    let pointer = unsafe Unmanaged.passRetained(buffer).toOpaque()
    unsafe fl_current().pointee.buffer = pointer
    unsafe fl_watch_thread_end(pointer)
    buffers.append(buffer)
    return buffer
  }

  /// Writes the calling thread's slot, which is full.
  private func seal() -> Bool {
    guard let buffer = currentBuffer() else {
      // A forked child, whose spans of its parent's time end nowhere.
      unsafe ThreadBuffer.redirect(fl_current(), to: scratch)
      return true
    }
    let code = buffer.seal()
    if code == 0 {
      if buffer.session?.isFull == true { fill(buffer) }
      return true
    }
    lock.with {
      if let session, buffer.session === session { fail(session, code) }
    }
    return false
  }

  /// The trace has the size that it may have: no span begins in it from now on.
  private func fill(_ buffer: ThreadBuffer) {
    lock.with {
      guard let session, buffer.session === session, !session.isFilled else { return }
      session.isFilled = true
      if session.options.whenFull == .stop {
        session.definitions.add(loss: .sizeLimit, errno: 0, count: 0, tick: fl_tick())
        suspend()
      } else {
        hold()
      }
    }
  }

  /// The calling thread ends.
  private func detach(_ pointer: UnsafeMutableRawPointer) {
    let buffer = unsafe Unmanaged<ThreadBuffer>.fromOpaque(pointer).takeRetainedValue()
    lock.lock()
    defer { lock.unlock() }
    buffers.removeAll { $0 === buffer }
    if let session, buffer.session === session {
      let code = giveBack(buffer, of: session)
      if code != 0 { fail(session, code) }
    } else if let session {
      tellRefused(buffer, by: session)
    }
    spareTables.append(buffer.leaveThread())
  }

  /// Takes back the slots of a thread that ends. Returns 0 or the error of writing them.
  private func giveBack(_ buffer: ThreadBuffer, of session: Session) -> CInt {
    guard let home = buffer.writers.first else { return 0 }
    let code = buffer.waitForHandOver()
    guard code == 0 else {
      tellEnd(of: buffer, hasEnded: true, in: session)
      return code
    }
    for other in buffer.writers.dropFirst() where !buffer.isUsing(other) {
      unsafe session.live.giveBack(other.base)
    }
    if let byteCount = buffer.retire() {
      tellEnd(of: buffer, hasEnded: true, in: session)
      return session.retired.add(
        home, byteCount: byteCount, file: session.file, live: session.live)
    }
    let failure = buffer.finish()
    // While its counts stand in the slot: whoever is killed has them in one place or both.
    tellEnd(of: buffer, hasEnded: true, in: session)
    if failure == 0 {
      if buffer.leavesSpansOpen { home.forgetOpenSpans() }
      for writer in [home] + buffer.writers.dropFirst().filter(buffer.isUsing) {
        unsafe session.live.giveBack(writer.base)
      }
    }
    return failure
  }

  /// A span of another thread ended here: its owner takes it off its stack before its next span.
  private func orphan(key: UInt32, start: UInt64, site: UInt32) {
    lock.with {
      guard let owner = buffers.first(where: { $0.key == key }) else { return }
      owner.orphans.append((start, site))
      unsafe fl_hold(owner.thread)
    }
  }

  /// Names the calling thread.
  func nameThread(_ name: String) {
    lock.with {
      let buffer = currentBuffer() ?? newBuffer()
      buffer.isNamedByProgram = true
      buffer.name = string(name, in: session?.definitions)
      if let session, buffer.session === session {
        session.definitions.add(.threadName, fields: buffer.key, buffer.name)
      }
      checkDefinitions()
    }
  }
}

// MARK: - Names

extension Recorder {
  /// The id of a call site, told to the recording if it is new.
  private func site(
    name: UnsafePointer<CChar>, file: UnsafePointer<CChar>, line: UInt32,
    category: UnsafePointer<CChar>
  ) -> UInt32 {
    let (id, isNew) = unsafe findSite(name: name, file: file, line: line, category: category)
    // It may be in code that was loaded since.
    if isNew { tellNewModules() }
    return id
  }

  private func findSite(
    name: UnsafePointer<CChar>, file: UnsafePointer<CChar>, line: UInt32,
    category: UnsafePointer<CChar>
  ) -> (id: UInt32, isNew: Bool) {
    lock.lock()
    defer { lock.unlock() }
    let (nameAddress, fileAddress) = (UInt(bitPattern: name), UInt(bitPattern: file))
    // The table of rules may have grown since the thread looked.
    defer { currentBuffer()?.takeRules() }
    if let id = registry.site(name: nameAddress, file: fileAddress, line: line) {
      return (id, false)
    }
    let definitions = session?.definitions
    let site = unsafe Registry.Site(
      name: string(String(cString: name), in: definitions),
      file: string(String(cString: file), in: definitions), line: line,
      category: category.pointee == 0 ? 0 : string(String(cString: category), in: definitions))
    let (id, isNew) = registry.site(site)
    if isNew {
      definitions?.add(site: site, id: id)
      if let session { decide(site, id: id, in: session) }
      checkDefinitions()
    }
    registry.remember(id, name: nameAddress, file: fileAddress, line: line)
    return (id, true)
  }

  /// Where a text is kept for the life of the process.
  func keep(_ text: String) -> UnsafePointer<CChar> {
    unsafe lock.with { unsafe keptTexts.keep(text) }
  }

  /// The id of a new series.
  func addSeries(name: String, refresh: Int64) -> UInt32 {
    lock.with {
      let series = Registry.Series(name: string(name, in: session?.definitions), refresh: refresh)
      let id = registry.add(series)
      session?.definitions.add(series: series, id: id)
      checkDefinitions()
      return id
    }
  }
}
