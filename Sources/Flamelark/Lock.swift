#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A lock that can be taken in one function and given back in another, as `fork` needs it.
@safe final class Lock: @unchecked Sendable {
  // Unchecked: the mutex is made for being used by several threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func lock() { _ = unsafe pthread_mutex_lock(mutex) }
  func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }

  func with<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
