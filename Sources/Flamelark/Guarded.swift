/// A value behind a lock that a signal handler does not wait for: what one records while its thread has
/// the lock is dropped and counted.
@safe final class Guarded<Value>: @unchecked Sendable {
  // Unchecked: the value under the lock.
  private var value: Value
  private let lock = Lock()

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.with { body(&value) }
  }
}
