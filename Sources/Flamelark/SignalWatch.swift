internal import CFlamelark

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread that starts and stops recordings when the process gets signals.
///
/// It waits for them, so no signal handler runs: a handler may do nothing of what starting a
/// recording does. All other threads have to block the signals, so that none of them gets one; they
/// inherit that from the thread that begins this.
struct SignalWatch: Sendable {
  private let path: String
  private let options: Recording.Options
  private let signals: sigset_t

  private static let start = SIGUSR1
  private static let stop = SIGUSR2

  /// Begins to wait. Once, before there are other threads.
  static func begin(path: String, options: Recording.Options) throws(RecordingError) {
    guard options.arePossible else { throw RecordingError(.invalidOptions, path: path) }
    guard SystemFile.threadCount() ?? 1 == 1 else {
      throw RecordingError(.tooLateForSignals, path: path)
    }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, start)
    unsafe sigaddset(&signals, stop)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watch = SignalWatch(path: path, options: options, signals: signals)
    let (thread, code) = OwnThread.start { watch.run() }
    guard let thread else { throw RecordingError(.tooLateForSignals, path: path, errno: code) }
    pthread_detach(thread)
  }

  private func run() -> Never {
    var recording: Recording?
    while true {
      var signals = signals
      var signal: CInt = 0
      guard unsafe sigwait(&signals, &signal) == 0 else { continue }
      do {
        if signal == Self.start {
          recording = try Recording.start(writingTo: path, options: options)
        } else {
          try recording?.stop()
        }
      } catch {
        StandardError.say("\(error)")
      }
    }
  }
}
