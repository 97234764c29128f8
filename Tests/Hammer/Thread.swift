import Glibc

/// A thread of the system's, without Foundation between it and the recorder.
final class Thread: @unchecked Sendable {
  // Unchecked: written before the thread runs.
  private let body: @Sendable () -> Void
  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    let this = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(
      &handle, nil,
      { this in
        if let this = unsafe this as UnsafeMutableRawPointer? {
          unsafe Unmanaged<Thread>.fromOpaque(this).takeRetainedValue().body()
        }
        return nil
      }, this)
    precondition(code == 0, "no thread")
  }

  func join() { pthread_join(handle, nil) }
}
