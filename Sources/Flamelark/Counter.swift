#if !CompiledOut
public import CFlamelark
#endif

/// A named number that changes over time.
public struct Counter: Sendable {
  #if !CompiledOut
  @usableFromInline let name: StaticString
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt32
  #endif

  /// Creates a counter. Those of one name are one counter.
  @inlinable @inline(__always)
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    #if !CompiledOut
    self.name = name
    self.file = file
    self.line = line
    #endif
  }

  /// Records the value that it has from now on. Costs what a span costs.
  @inlinable @inline(__always)
  public func record(_ value: Int64) {
    #if !CompiledOut
    unsafe fl_record_counter(name.characters, file.characters, line, value)
    #endif
  }
}
