#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The limit that a process has for the size of a file (RLIMIT_FSIZE).
enum FileSizeLimit {
  /// Calls the system so that going over the limit is an error, EFBIG, and nothing else. Without
  /// this it is a signal too, SIGXFSZ, which ends a program that doesn't expect it.
  ///
  /// - Parameter call: Returns 0 or the system's number of an error.
  /// - Returns: What `call` returns. Costs two calls of the system.
  static func asError(_ call: () -> CInt) -> CInt {
    var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    let wasBlocked = unsafe sigismember(&before, SIGXFSZ) == 1
    // One that the program itself is to get stays.
    if wasBlocked { unsafe sigpending(&pending) }
    let isAwaited = unsafe wasBlocked && sigismember(&pending, SIGXFSZ) == 1
    let code = call()
    if code == EFBIG, !isAwaited {
      unsafe sigpending(&pending)
      var signal: CInt = 0
      if unsafe sigismember(&pending, SIGXFSZ) == 1 { unsafe sigwait(&signals, &signal) }
    }
    if !wasBlocked { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return code
  }
}
