/// A name of spans that is made while the program runs, as `SpanName("tile \(x)")`.
///
/// Its text is kept for the life of the process, once for each distinct one, and so are a line in the
/// table of call sites and a place in the cache of each thread that uses it. So make names of what is
/// few, as levels and tiles, some hundred at most; what differs each time is a ``SpanValue``. Making one
/// takes a lock and some 0.2 µs: keep it. Using it costs what a constant name costs. A signal handler
/// must not make one.
@safe
public struct SpanName: @unchecked Sendable {
  // Unchecked: what the pointers lead to stays and never changes.
  #if !CompiledOut
  @usableFromInline let text: UnsafePointer<CChar>
  @usableFromInline let category: UnsafePointer<CChar>
  @usableFromInline let file: UnsafePointer<CChar>
  @usableFromInline let line: UInt32
  #endif

  /// Creates a name, or gets the one that has this text already.
  ///
  /// - Parameters:
  ///   - text: What to call the spans, up to its first zero byte.
  ///   - category: What they belong to. One for each text and line.
  ///   - file: Left out.
  ///   - line: Left out.
  @inlinable @inline(__always)
  public init(
    _ text: @autoclosure () -> String, category: StaticString = "", file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    #if !CompiledOut
    unsafe self.text = Self.kept(text())
    unsafe self.category = category.characters
    unsafe self.file = file.characters
    self.line = line
    #endif
  }

  /// A constant name.
  @inlinable @inline(__always)
  init(constant text: StaticString, file: StaticString, line: UInt32) {
    #if !CompiledOut
    unsafe self.text = text.characters
    unsafe self.category = ("" as StaticString).characters
    unsafe self.file = file.characters
    self.line = line
    #endif
  }

  #if !CompiledOut
  /// Where a text is kept.
  @usableFromInline
  static func kept(_ text: String) -> UnsafePointer<CChar> {
    unsafe Recorder.shared.keep(text)
  }
  #endif
}
