#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread of the recorder's. It gets no signals: those are for the program's own threads.
enum OwnThread {
  /// Starts one. It has to be joined or detached.
  ///
  /// - Returns: The thread, or nil and the system's number of the error.
  static func start(_ body: @escaping @Sendable () -> Void) -> (thread: pthread_t?, code: CInt) {
    let box = unsafe Unmanaged.passRetained(Box(body))
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      unsafe box.release()
      return (nil, code)
    }
    return (thread, 0)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
