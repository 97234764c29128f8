internal import CFlamelark

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A lock that can be taken in one function and given back in another, as `fork` needs it.
///
/// While a thread has one it is in a cold path of the recorder, and a signal handler on it records
/// nothing: it could wait for the lock that it interrupts. Nor can the thread be cancelled there, which
/// calls of the system would allow: nobody would give the lock back.
@safe final class Lock: @unchecked Sendable {
  // Unchecked: the mutex is made for being used by several threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Whether the thread that has it could be cancelled before.
  private var cancelState: CInt = 0

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func lock() {
    fl_enter()
    var before: CInt = 0
    unsafe pthread_setcancelstate(CInt(PTHREAD_CANCEL_DISABLE), &before)
    _ = unsafe pthread_mutex_lock(mutex)
    cancelState = before
  }

  func unlock() {
    let before = cancelState
    _ = unsafe pthread_mutex_unlock(mutex)
    pthread_setcancelstate(before, nil)
    fl_leave()
  }

  func wait(for condition: UnsafeMutablePointer<pthread_cond_t>) {
    let before = cancelState
    unsafe pthread_cond_wait(condition, mutex)
    cancelState = before
  }

  func with<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
