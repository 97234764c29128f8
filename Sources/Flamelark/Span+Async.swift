#if !CompiledOut
public import CFlamelark
#endif

/// Measures the time that a closure with `await` in it takes, from its beginning to its end, whatever
/// thread it goes on on.
///
/// The span lies on a row of its task. No executor is installed and none is left for the span's sake:
/// the closure runs where its caller does. Costs some 20 ns more than the closure; one load and one
/// branch while nothing is recorded. No filter leaves it out.
///
/// - Parameters:
///   - name: What to call it. Constant, since it identifies the span: values belong elsewhere.
///   - category: What it belongs to. One for each name and line.
///   - file: Left out.
///   - line: Left out.
///   - body: What to measure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public nonisolated(nonsending) func withSpan<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
  line: UInt32 = #line, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  #if CompiledOut
  return try await body()
  #else
  let token = unsafe fl_begin_task_span(
    name.characters, file.characters, line, category.characters)
  defer { fl_end_task_span(token) }
  return try await body()
  #endif
}
