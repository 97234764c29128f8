internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread that writes full slots for those that filled them, which go on in others.
///
/// Handing over takes no lock: a thread that has one could be sent to sleep by the system while
/// another thread's frame waits for it.
@safe final class HandOver: @unchecked Sendable {
  // Unchecked: `jobs` under the recorder's lock, the atomics by themselves, the rest never changes.
  let file: TraceFile
  /// The job handed over last, which leads to the one before it.
  private let newest = unsafe Atomic<UnsafeMutablePointer<Job>?>(nil)
  private let posted: UnsafeMutablePointer<sem_t>
  private let isStopping = Atomic(false)
  /// The first error of writing; what was to be written then stays in its slot.
  private let failure = Atomic<CInt>(0)
  private let lock = Lock()
  private let cleared = Condition()
  private let waiting = Atomic(0)
  private var jobs: [UnsafeMutablePointer<Job>] = unsafe []
  private var thread = pthread_t()

  /// A slot that is full. There is one for each slot, since it is handed over once at a time.
  @safe struct Job {
    var writer: SlotWriter
    var byteCount = 0
    var end = ClockAnchor(tick: 0, monotonic: 0)
    var previous: UnsafeMutablePointer<Job>?
  }

  /// Starts the thread. nil if the system has none.
  init?(file: TraceFile) {
    self.file = file
    unsafe posted = .allocate(capacity: 1)
    unsafe posted.initialize(to: sem_t())
    unsafe sem_init(posted, 0, 0)
    guard let thread = OwnThread.start({ self.run() }).thread else { return nil }
    self.thread = thread
  }

  deinit {
    unsafe sem_destroy(posted)
    unsafe posted.deallocate()
    unsafe jobs.forEach { unsafe $0.deallocate() }
  }

  /// The job of a slot. With the recorder's lock held.
  func makeJob(_ writer: SlotWriter) -> UnsafeMutablePointer<Job> {
    let job = UnsafeMutablePointer<Job>.allocate(capacity: 1)
    unsafe job.initialize(to: Job(writer: writer))
    unsafe jobs.append(job)
    return unsafe job
  }

  /// Takes a job whose slot is full. Returns 0 or the error of an earlier one.
  func take(_ job: UnsafeMutablePointer<Job>) -> CInt {
    let code = failure.load(ordering: .relaxed)
    guard code == 0 else { return code }
    var known = unsafe newest.load(ordering: .relaxed)
    while true {
      unsafe job.pointee.previous = known
      let result = unsafe newest.compareExchange(
        expected: known, desired: job, ordering: .releasing)
      if unsafe result.exchanged { break }
      unsafe known = result.original
    }
    unsafe sem_post(posted)
    return 0
  }

  /// Waits until a slot that was taken is clear. Returns 0 or the error that prevents it.
  func waitUntilClear(_ writer: SlotWriter, of sequence: UInt32) -> CInt {
    waiting.add(1, ordering: .sequentiallyConsistent)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return lock.with {
      while writer.sequence == sequence {
        let code = failure.load(ordering: .acquiring)
        guard code == 0 else { return code }
        cleared.wait(lock)
      }
      return 0
    }
  }

  /// Writes what was taken and ends the thread. Returns 0 or the error of writing.
  func finish() -> CInt {
    isStopping.store(true, ordering: .releasing)
    unsafe sem_post(posted)
    pthread_join(thread, nil)
    return failure.load(ordering: .relaxed)
  }

  private func run() {
    // Its waking interrupts nobody.
    fl_run_in_background()
    while true {
      while unsafe sem_wait(posted) != 0 {}
      let isLast = isStopping.load(ordering: .acquiring)
      var job = unsafe takeAll()
      while let this = unsafe job {
        // Written, it may be handed over again.
        unsafe job = this.pointee.previous
        unsafe write(this.pointee)
      }
      if isLast { return }
    }
  }

  /// The jobs that were handed over, the oldest first, each leading to the next.
  private func takeAll() -> UnsafeMutablePointer<Job>? {
    var job = unsafe newest.exchange(nil, ordering: .acquiring)
    var oldest: UnsafeMutablePointer<Job>?
    while let this = unsafe job {
      unsafe job = this.pointee.previous
      unsafe this.pointee.previous = oldest
      unsafe oldest = this
    }
    return unsafe oldest
  }

  private func write(_ job: Job) {
    if failure.load(ordering: .relaxed) == 0 {
      let code = job.writer.seal(byteCount: job.byteCount, end: job.end, into: file)
      failure.store(code, ordering: .releasing)
    }
    if waiting.load(ordering: .sequentiallyConsistent) > 0 {
      lock.with { cleared.wakeAll() }
    }
  }
}
