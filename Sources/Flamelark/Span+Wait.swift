#if !CompiledOut
public import CFlamelark
#endif

/// Measures a closure in which the program waits: for a device, another process, a lock of its own.
///
/// The reports then know that the time is not this thread's doing, and, with a point, whose it is. It is
/// a span as of ``withSpan(_:category:file:line:_:)`` whose end costs some 150 instructions
/// more. One below the recording's least duration is summed up as any span.
///
/// - Parameters:
///   - name: What to call it. Constant.
///   - point: What is signalled by whoever ends the wait.
///   - category: What it belongs to, by which it can be filtered.
///   - file: Left out.
///   - line: Left out.
///   - body: What waits.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public func withWait<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, on point: WaitPoint? = nil, category: StaticString = "",
  file: StaticString = #fileID, line: UInt32 = #line, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  #if CompiledOut
  return try body()
  #else
  let token = unsafe fl_begin(name.characters, file.characters, line, category.characters)
  defer { if token != 0 { Wait.end(token, on: point) } }
  return try body()
  #endif
}

/// Measures `await` for something, which another thread or task ends.
///
/// It is recorded also when it did not block, since what comes later may have to wait for it then.
/// A task that is waited for signals the point as its last act:
///
///     let parsed = WaitPoint()
///     let task = Task { defer { parsed.signal() }; return parse(text) }
///     let tree = await withWait("parse", on: parsed) { await task.value }
///
/// It is a span on the row of the task, as of `withSpan` around `await`. No filter leaves it out.
///
/// - Parameters:
///   - name: What to call it. Constant.
///   - point: What is signalled by whoever ends the wait.
///   - category: What it belongs to.
///   - file: Left out.
///   - line: Left out.
///   - body: What waits.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public nonisolated(nonsending) func withWait<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, on point: WaitPoint? = nil, category: StaticString = "",
  file: StaticString = #fileID, line: UInt32 = #line,
  _ body: nonisolated(nonsending) () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  #if CompiledOut
  return try await body()
  #else
  let token = unsafe fl_begin_task_span(
    name.characters, file.characters, line, category.characters)
  defer { if token != 0 { Wait.endTaskWait(token, on: point) } }
  return try await body()
  #endif
}
