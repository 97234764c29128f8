import CLimit
import Flamelark
import KillLedger
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Records spans in four threads, or tasks, until it is killed, and counts them where whoever kills it can read.
///
///     KillTarget MODE TRACE LEDGER
@main struct KillTarget {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let mode = Mode(rawValue: arguments[1]),
      let ledger = Ledger(path: arguments[3])
    else {
      print("usage: KillTarget MODE TRACE LEDGER")
      exit(64)
    }
    var options = Recording.Options(
      maximumDepth: mode.maximumDepth, minimumDuration: .nanoseconds(mode.minimumDuration))
    options.handsOverFullBuffers = mode.handsOver
    let recording = try Recording.start(writingTo: arguments[2], options: options)
    for number in 0..<Mode.threadCount {
      let worker = Worker(mode: mode, ledger: ledger, number: number)
      if mode == .tasks {
        Task.detached { await worker.runTask() }
      } else {
        startThread { worker.run() }
      }
    }
    if mode == .stop {
      while Worker.resting.load(ordering: .acquiring) < Mode.threadCount { usleep(100) }
      ledger.stop.state = .open
      try recording.stop()
      ledger.stop.state = .ended
    }
    while true { pause() }
  }
}

/// Starts a thread. Returns its handle.
@discardableResult
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { pointer in
      guard let pointer else { return nil }
      Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  guard code == 0 else {
    print("can't start a thread: error \(code)")
    exit(71)
  }
  return thread
}
