import Flamelark
import Glibc
import Synchronization

/// What workers wait for, and ask of each other.
final class Waits: Sendable {
  // Guards no memory: a sanitizer doesn't see the part of the lock that waits, which is the standard
  // library's.
  private let lock = TracedMutex((), "shared")
  private let turn = TracedCondition("turn")
  private let permits = TracedSemaphore(2, "permits")
  private let point = WaitPoint()
  private let atOnce = TracedQueue("at once") { $0() }
  private let elsewhere = TracedQueue("elsewhere") { work in Thread { work() }.join() }
  private let job = Flow("job")
  private let links = Guarded<[Flow.Link]>([])

  func holdLock() {
    for _ in 0..<20 {
      lock.withLock { _ in withSpan("held") {} }
    }
  }

  func takePermit() {
    permits.wait()
    usleep(20)
    permits.signal()
  }

  /// Waits twice for another thread, which does nothing but signal until that is over.
  func takeTurn() {
    let isOver = Flag()
    let other = Thread { [turn] in
      while !isOver.value.load(ordering: .relaxed) {
        turn.signal()
        turn.broadcast()
        usleep(20)
      }
    }
    var questions = 0
    lock.withLock(
      waitingFor: turn,
      until: { _ in
        questions += 1
        return questions == 3
      }
    ) { _ in }
    isOver.value.store(true, ordering: .relaxed)
    other.join()
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  func useQueues() {
    atOnce.async { withSpan("work") {} }
    let two = elsewhere.sync("work") { 2 }
    guard atOnce.sync("work", { two }) == 2 else { fatalError("a queue that loses results") }
  }

  /// Ends a link that another thread may have begun, and begins one.
  func link() {
    links.with { $0.popLast() }?.end()
    let link = job.begin()
    links.with { $0.append(link) }
  }

  func waitForPoint() {
    point.signal()
    withWait("point", on: point) { usleep(10) }
  }
}
