#if !CompiledOut
public import CFlamelark
internal import FlamelarkFormat
#endif

extension FrameSeries.FrameID {
  /// Measures a stage of the frame: a span that says which frame it works for, on any thread.
  ///
  /// A stage is a span like others, in all that filters do too; of a frame that is not recorded it is
  /// nothing more. Costs 230 instructions, a span 56; one load and one branch while nothing is recorded.
  ///
  /// - Parameters:
  ///   - name: What to call it. Constant, as of any span.
  ///   - category: What it belongs to. One for each name and line.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - body: What to measure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable @inline(__always) @discardableResult
  public func stage<Result: ~Copyable, Failure: Error>(
    _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
    line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if CompiledOut
    return try body()
    #else
    let token = unsafe fl_begin(
      name.characters, file.characters, line, category.characters)
    defer { if token != 0 { endStage(token) } }
    return try body()
    #endif
  }

  /// The same for a closure with `await` in it: a span on a row of its task.
  ///
  /// The closure runs where its caller does.
  ///
  /// - Parameters:
  ///   - name: What to call it. Constant, as of any span.
  ///   - category: What it belongs to. One for each name and line.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - body: What to measure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable @inline(__always) @discardableResult
  public nonisolated(nonsending) func stage<Result: ~Copyable, Failure: Error>(
    _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
    line: UInt32 = #line, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    #if CompiledOut
    return try await body()
    #else
    let token = unsafe fl_begin_task_span(
      name.characters, file.characters, line, category.characters)
    defer { if token != 0 { endTaskStage(token) } }
    return try await body()
    #endif
  }

  #if !CompiledOut
  @usableFromInline
  func endStage(_ token: UInt64) {
    // Another recording knows nothing of the frame.
    guard number >= 0, unsafe fl_current().pointee.session == session else {
      fl_end(token)
      return
    }
    unsafe withUnsafePointer(to: link) { link in unsafe fl_end_linked(token, link) }
  }

  @usableFromInline
  func endTaskStage(_ token: UInt64) {
    // The token says in which recording it began; this thread may be new to it.
    guard number >= 0, token >> 48 == session & 0xFFFF else {
      fl_end_task_span(token)
      return
    }
    unsafe withUnsafePointer(to: link) { link in unsafe fl_end_linked_task_span(token, link) }
  }

  /// What the record of a stage says beside the span.
  private var link: fl_link {
    fl_link(
      kind: EventRecord.Kind.stage.rawValue, detail: 0, count: 2,
      words: (UInt64(series), UInt64(bitPattern: number), 0, 0))
  }
  #endif
}

extension FrameSeries.OpenFrame {
  /// Measures a stage of the frame on this thread, as ``FrameSeries/FrameID/stage(_:category:file:line:_:)``
  /// does on any.
  ///
  /// - Parameters:
  ///   - name: What to call it. Constant, as of any span.
  ///   - category: What it belongs to. One for each name and line.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - body: What to measure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable @inline(__always) @discardableResult
  public func stage<Result: ~Copyable, Failure: Error>(
    _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
    line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try id.stage(name, category: category, file: file, line: line, body)
  }

  /// The same for a closure with `await` in it: a span on a row of its task.
  ///
  /// - Parameters:
  ///   - name: What to call it. Constant, as of any span.
  ///   - category: What it belongs to. One for each name and line.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - body: What to measure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable @inline(__always) @discardableResult
  public nonisolated(nonsending) func stage<Result: ~Copyable, Failure: Error>(
    _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
    line: UInt32 = #line, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await id.stage(name, category: category, file: file, line: line, body)
  }
}
