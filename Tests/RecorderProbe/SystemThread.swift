import Foundation

/// A thread of the system that runs a closure.
struct SystemThread: Sendable {
  private let handle: pthread_t

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let pointer = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, pointer)
    guard code == 0 else { exit(67) }
    handle = thread
  }

  func cancel() { pthread_cancel(handle) }

  func join() { pthread_join(handle, nil) }
}
