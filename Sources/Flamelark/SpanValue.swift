#if !CompiledOut
public import CFlamelark
#endif

/// A number that belongs to a span: how many bytes it wrote, which level it loaded. It stays out of the
/// span's name, so that spans of one kind stay together.
public struct SpanValue: Sendable {
  #if !CompiledOut
  @usableFromInline let name: StaticString
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt32
  #endif

  /// Creates a value. Those of one name are values of one kind.
  @inlinable @inline(__always)
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    #if !CompiledOut
    self.name = name
    self.file = file
    self.line = line
    #endif
  }

  /// Gives the innermost open span of this thread a value or, where the thread has none open, that of
  /// the task that it runs. A span may get several.
  ///
  /// Costs what a span costs; one load and one branch while nothing is recorded. A value of a span
  /// below the least duration is dropped and counted; one inside a span over the greatest depth
  /// belongs to the span around it, as its time does.
  @inlinable @inline(__always)
  public func record(_ value: Int64) {
    #if !CompiledOut
    guard fl_is_on() else { return }
    unsafe fl_record_value(name.characters, file.characters, line, value)
    #endif
  }
}
