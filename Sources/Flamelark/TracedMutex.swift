public import Synchronization

/// A `Mutex` whose waits say who had it.
///
/// A lock that was free writes nothing and reads no clock: it costs what the `Mutex` costs and 15
/// instructions to say who has it; a load and a branch while nothing is recorded. One that another thread
/// had is a span named by the lock, with the thread and the task that gave it back: one below the
/// recording's least duration is summed up as any span.
///
/// As a `Mutex` it is no lock for recursion, for signal handlers or across `fork`, and waiting for it is no
/// point of cancellation.
public struct TracedMutex<Value: ~Copyable>: ~Copyable {
  @usableFromInline let mutex: Mutex<Value>
  #if !CompiledOut
  @usableFromInline let holder: LockHolder
  #endif

  /// Creates a lock around a value.
  ///
  /// - Parameters:
  ///   - value: What it guards.
  ///   - name: What its waits are called.
  ///   - file: Left out.
  ///   - line: Left out.
  @inlinable
  public init(
    _ value: consuming sending Value, _ name: StaticString, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    mutex = Mutex(value)
    #if !CompiledOut
    holder = LockHolder(name, file: file, line: line)
    #endif
  }

  /// Runs `body` with the value while nobody else has it.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable @inline(__always)
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if CompiledOut
    return try mutex.withLock(body)
    #else
    let result = try mutex.withLockIfAvailable { value throws(Failure) in
      holder.enter()
      return try body(&value)
    }
    if let result { return result }
    return try waitForLock(body)
    #endif
  }

  #if !CompiledOut
  @inlinable @inline(never)
  borrowing func waitForLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let token = holder.beginWait()
    return try mutex.withLock { value throws(Failure) in
      holder.endWait(token)
      return try body(&value)
    }
  }
  #endif
}

extension TracedMutex: Sendable where Value: ~Copyable {}
