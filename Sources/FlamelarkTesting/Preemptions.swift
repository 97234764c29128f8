#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// How often threads of this process had to leave a processor to somebody else.
enum Preemptions {
  /// Since the process began.
  static var count: Int {
    var usage = rusage()
    #if canImport(Glibc)
    let status = unsafe getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    #else
    let status = unsafe getrusage(CInt(RUSAGE_SELF), &usage)
    #endif
    return status == 0 ? Int(usage.ru_nivcsw) : 0
  }
}
