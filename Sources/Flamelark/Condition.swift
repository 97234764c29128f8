#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Something that threads wait for while they have a lock.
@safe final class Condition: @unchecked Sendable {
  // Unchecked: it is made for being used by several threads.
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
  }

  /// Gives back the lock, waits and takes it again; may return for no reason.
  func wait(_ lock: Lock) { unsafe lock.wait(for: condition) }

  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
