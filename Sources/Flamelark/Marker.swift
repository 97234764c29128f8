#if !CompiledOut
public import CFlamelark
#endif

/// A named moment.
public struct Marker: Sendable {
  #if !CompiledOut
  @usableFromInline let name: StaticString
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt32
  #endif

  /// Creates a marker. It says nothing until it is recorded.
  @inlinable @inline(__always)
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    #if !CompiledOut
    self.name = name
    self.file = file
    self.line = line
    #endif
  }

  /// Records that it happens now. Costs less than a span.
  @inlinable @inline(__always)
  public func record() {
    #if !CompiledOut
    unsafe fl_record_marker(name.characters, file.characters, line)
    #endif
  }
}
