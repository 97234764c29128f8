internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread that writes full buffers for those that filled them, which go on in others.
@safe final class HandOver: @unchecked Sendable {
  // Unchecked: the variables under `lock`.
  private let lock = Lock()
  private let changed = Condition()
  private let file: TraceFile
  private var jobs: [Job] = []
  private var isStopping = false
  /// The first error of writing; what was to be written then stays in its slot.
  private var failure: CInt = 0
  private var thread = pthread_t()

  private struct Job {
    var writer: SlotWriter
    var byteCount: Int
    var end: ClockAnchor
  }

  /// Starts the thread. nil if the system has none.
  init?(file: TraceFile) {
    self.file = file
    jobs.reserveCapacity(64)
    let this = unsafe Unmanaged.passRetained(self).toOpaque()
    // The program's signals are for its own threads.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    let code = unsafe pthread_create(
      &thread, nil,
      { this in
        guard let this = unsafe this as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<HandOver>.fromOpaque(this).takeRetainedValue().run()
        return nil
      }, this)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      unsafe Unmanaged<HandOver>.fromOpaque(this).release()
      return nil
    }
  }

  /// Takes a full slot, to be written and cleared. Returns 0 or the error of an earlier one.
  func take(_ writer: SlotWriter, byteCount: Int, end: ClockAnchor) -> CInt {
    lock.with {
      guard failure == 0 else { return failure }
      jobs.append(Job(writer: writer, byteCount: byteCount, end: end))
      changed.wakeAll()
      return 0
    }
  }

  /// Waits until a slot that was taken is clear. Returns 0 or the error that prevents it.
  func waitUntilClear(_ writer: SlotWriter, of sequence: UInt32) -> CInt {
    // Nearly always it is.
    guard writer.sequence == sequence else { return 0 }
    return lock.with {
      while writer.sequence == sequence {
        guard failure == 0 else { return failure }
        changed.wait(lock)
      }
      return 0
    }
  }

  /// Writes what was taken and ends the thread. Returns 0 or the error of writing.
  func finish() -> CInt {
    lock.with {
      isStopping = true
      changed.wakeAll()
    }
    pthread_join(thread, nil)
    return failure
  }

  private func run() {
    lock.lock()
    while failure == 0 {
      while jobs.isEmpty, !isStopping { changed.wait(lock) }
      guard !jobs.isEmpty else { break }
      let job = jobs.removeFirst()
      lock.unlock()
      let code = job.writer.seal(byteCount: job.byteCount, end: job.end, into: file)
      lock.lock()
      failure = code
      changed.wakeAll()
    }
    lock.unlock()
  }
}
