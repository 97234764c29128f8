import Flamelark

/// Something that threads and tasks share under a lock. It knows who had it last.
final class Shelf: Sendable {
  private struct State {
    var items = 0
    var lastHolder = 0
  }

  private let name: String
  private let state: TracedMutex<State>
  private let log: Log

  init(_ name: StaticString, log: Log) {
    self.name = "\(name)"
    self.log = log
    state = TracedMutex(State(), name)
  }

  /// Puts something there, which takes some microseconds.
  func put(taking microseconds: Int64) {
    state.withLock { state in
      log.say("lock", name, threadID(), state.lastHolder, now())
      state.lastHolder = threadID()
      state.items += 1
      Studio.work(microseconds)
    }
  }
}
