#if !CompiledOut
public import CFlamelark
#endif

/// A named number that changes over time.
public struct Counter: Sendable {
  @usableFromInline let name: StaticString
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt32

  /// Creates a counter. Those of one name are one counter.
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    self.name = name
    self.file = file
    self.line = line
  }

  /// Records the value that it has from now on. Costs what a span costs.
  @inlinable @inline(__always)
  public func record(_ value: Int64) {
    #if !CompiledOut
    unsafe fl_record_counter(name.characters, file.characters, line, value)
    #endif
  }
}
