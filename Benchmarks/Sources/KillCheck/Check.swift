import FlamelarkTrace
import KillLedger

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One program that is killed, and what is said of what it left.
struct Check {
  let target: String
  let flamelark: String
  let trace: String
  let ledger: String
  let mode: Mode

  private var live: String { trace + ".live" }
  private var recovered: String { trace.dropLast(5) + ".recovered.lark" }

  func run(killAfter delay: UInt32) throws -> Findings {
    guard let ledger = Ledger(path: ledger) else {
      throw Failure("can't make \(ledger): error \(errno)")
    }
    defer { ledger.unmap() }
    let victim = try Child(target, mode.rawValue, trace, self.ledger)
    if mode != .start { try wait(for: victim, in: ledger) }
    Self.wait(microseconds: delay)
    let status = victim.kill()
    let reaped = Self.now()
    guard status == SIGKILL else { throw Failure("the program ended by itself: status \(status)") }

    let hasBegun = (0..<Mode.threadCount).contains { ledger[$0].state != .none }
    guard hasBegun || mode != .start else { return Findings() }
    let found = try Verdict(
      trace: Trace(contentsOf: trace), ledger: ledger, mode: mode, reaped: reaped
    ).findings()
    // Stopping may have gone too far to leave anything to recover.
    guard mode != .stop || access(live, F_OK) == 0 else { return found }
    let recovery = try Child(flamelark, "recover", trace).wait()
    guard recovery == 0 else { throw Failure("recover: exit status \(recovery >> 8)") }
    _ = try Verdict(
      trace: Trace(contentsOf: recovered), ledger: ledger, mode: mode, reaped: reaped
    ).findings()
    return found
  }

  /// Waits until each thread has begun its outermost span, or until stopping has begun.
  private func wait(for victim: Child, in ledger: Ledger) throws {
    let end = Self.now() + 20_000_000_000
    func hasBegun() -> Bool {
      mode == .stop
        ? ledger.stop.state != .none
        : (0..<Mode.threadCount).allSatisfy { ledger[$0].state != .none }
    }
    while !hasBegun() {
      if let status = victim.status() { throw Failure("the program ended early: status \(status)") }
      guard Self.now() < end else {
        _ = victim.kill()
        throw Failure("the program's threads did not begin within 20 s")
      }
      // Stopping takes less than sleeping would.
      if mode != .stop { usleep(200) }
    }
  }

  /// To the microsecond, where sleeping takes fifty more.
  private static func wait(microseconds: UInt32) {
    if microseconds > 1000 { return _ = usleep(microseconds) }
    let end = now() + UInt64(microseconds) * 1000
    while now() < end {}
  }

  func removeFiles() {
    for path in [trace, live, ledger, recovered] { unlink(path) }
  }

  /// CLOCK_MONOTONIC in nanoseconds.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A program that runs beside this one, with its output thrown away.
struct Child {
  private let processID: pid_t

  init(_ path: String, _ arguments: String...) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var strings = ([path] + arguments).map { strdup($0) }
    defer { for string in strings { free(string) } }
    strings.append(nil)
    var processID = pid_t()
    let code = posix_spawn(&processID, path, &actions, nil, strings, environ)
    guard code == 0 else { throw Failure("can't run \(path): error \(code)") }
    self.processID = processID
  }

  /// The status if it has ended, without waiting.
  func status() -> CInt? {
    var status: CInt = 0
    return waitpid(processID, &status, WNOHANG) == processID ? status : nil
  }

  /// The status when it has ended.
  func wait() -> CInt {
    var status: CInt = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The status after it was killed.
  func kill() -> CInt {
    _ = systemKill(processID, SIGKILL)
    return wait()
  }
}

/// The system's `kill`, where a method has its name.
private func systemKill(_ processID: pid_t, _ signal: CInt) -> CInt { kill(processID, signal) }
