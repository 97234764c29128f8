internal import FlamelarkFormat

/// Something that threads wait for while they need a ``TracedMutex``, whose waits say who signalled.
///
///     let jobs = TracedMutex([Job](), "jobs")
///     let hasJobs = TracedCondition("has jobs")
///
///     let job = jobs.withLock(waitingFor: hasJobs, until: { !$0.isEmpty }) { $0.removeFirst() }
///
///     jobs.withLock { $0.append(job) }
///     hasJobs.signal()
///
/// Threads are woken in the order in which they came. A wait is a span named by the condition: one below
/// the recording's least duration is summed up as any span. Waiting is no point of cancellation,
/// and nothing of it is for a signal handler.
public final class TracedCondition: Sendable {
  private let resource: Resource
  private let waiting = Guarded(WaitLine())

  /// Creates a condition.
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    resource = Resource(name, file: file, line: line, kind: .condition)
  }

  /// Wakes the thread that has waited longest, if one waits. With or without the mutex.
  public func signal() {
    waiting.with { $0.removeFirst() }?.wake(by: .current)
  }

  /// Wakes all threads that wait. With or without the mutex.
  public func broadcast() {
    var line = waiting.with { line in
      defer { line = WaitLine() }
      return line
    }
    while let waiter = line.removeFirst() { waiter.wake(by: .current) }
  }

  fileprivate func add(_ waiter: Waiter.Place) { waiting.with { $0.add(waiter) } }

  fileprivate func park(_ waiter: Waiter.Place) { resource.wait { waiter.park() } }
}

extension TracedMutex where Value: ~Copyable {
  /// Runs `body` with the value, as soon as something holds of it.
  ///
  /// - Parameters:
  ///   - condition: Signalled by whoever changes the value so that it may hold.
  ///   - isTrue: Whether it holds. Asked with the lock, before the first wait and after each.
  ///   - body: What to do with the value.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    waitingFor condition: TracedCondition, until isTrue: (inout sending Value) -> Bool,
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    while true {
      let result = try Waiter.with { waiter throws(Failure) -> Given<Result>? in
        let result = try withLock { value throws(Failure) -> sending Given<Result>? in
          if isTrue(&value) { return Given(try body(&value)) }
          condition.add(waiter)
          return nil
        }
        if result == nil { condition.park(waiter) }
        return result
      }
      if let result { return result.take() }
    }
  }
}

/// A value that its maker has given away, on its way to somebody else.
private struct Given<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: nobody else has it.
  private nonisolated(unsafe) var value: Value

  init(_ value: consuming sending Value) { unsafe self.value = value }

  consuming func take() -> sending Value { unsafe value }
}
