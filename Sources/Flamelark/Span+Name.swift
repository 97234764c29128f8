#if !CompiledOut
public import CFlamelark
#endif

/// Measures the time that a closure takes, under a name made while the program runs.
///
/// It costs what ``withSpan(_:category:file:line:_:)`` costs.
///
/// - Parameters:
///   - name: What to call it, with its category and its place in the source.
///   - body: What to measure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public func withSpan<Result: ~Copyable, Failure: Error>(
  _ name: SpanName, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  #if CompiledOut
  return try body()
  #else
  let token = unsafe fl_begin(name.text, name.file, name.line, name.category)
  defer { fl_end(token) }
  return try body()
  #endif
}

/// Measures the time that a closure with `await` in it takes, under a name made while the program runs.
///
/// - Parameters:
///   - name: What to call it, with its category and its place in the source.
///   - body: What to measure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public nonisolated(nonsending) func withSpan<Result: ~Copyable, Failure: Error>(
  _ name: SpanName, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  #if CompiledOut
  return try await body()
  #else
  let token = unsafe fl_begin_task_span(
    name.text, name.file, name.line, name.category)
  defer { fl_end_task_span(token) }
  return try await body()
  #endif
}

/// Begins a span that another function may end, under a name made while the program runs.
///
/// - Parameter name: What to call it, with its category and its place in the source.
/// - Returns: The span, to be ended as that of ``beginSpan(_:category:file:line:)``.
@inlinable @inline(__always)
public func beginSpan(_ name: SpanName) -> OpenSpan {
  #if CompiledOut
  return OpenSpan()
  #else
  let token = unsafe fl_begin(name.text, name.file, name.line, name.category)
  return token == 0 ? OpenSpan() : OpenSpan(token: token)
  #endif
}
