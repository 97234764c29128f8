internal import FlamelarkFormat
internal import Synchronization

/// A counting semaphore whose waits say who signalled.
///
/// Threads that wait come first in the order in which they came. A permit that is free costs an atomic
/// subtraction and writes nothing. A wait is a span named by the semaphore: one below the recording's
/// least duration is summed up as any span. `wait()` is no point of cancellation, and neither
/// is for a signal handler.
public final class TracedSemaphore: Sendable {
  private let resource: Resource
  /// Permits; below 0: how many threads wait or are about to.
  private let count: Atomic<Int>
  private let waiting: Guarded<Waiting>

  private struct Waiting {
    var line = WaitLine()
    /// Permits for threads that are about to wait.
    var given = 0
  }

  /// Creates a semaphore with so many permits, at least 0.
  public init(
    _ permits: Int, _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    precondition(permits >= 0, "a semaphore can't begin with less than 0 permits")
    resource = Resource(name, file: file, line: line, kind: .semaphore)
    count = Atomic(permits)
    waiting = Guarded(Waiting())
  }

  /// Takes a permit, once there is one.
  public func wait() {
    guard count.wrappingSubtract(1, ordering: .acquiring).oldValue <= 0 else { return }
    Waiter.with { waiter in
      let waits = waiting.with { waiting in
        if waiting.given > 0 {
          waiting.given -= 1
          return false
        }
        waiting.line.add(waiter)
        return true
      }
      guard waits else { return }
      resource.wait { waiter.park() }
    }
  }

  /// Gives a permit: to the thread that has waited longest, if one waits.
  public func signal() {
    guard count.wrappingAdd(1, ordering: .releasing).oldValue < 0 else { return }
    let waiter = waiting.with { waiting in
      let waiter = waiting.line.removeFirst()
      if waiter == nil { waiting.given += 1 }
      return waiter
    }
    waiter?.wake(by: .current)
  }
}
