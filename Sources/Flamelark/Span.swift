#if !CompiledOut
public import CFlamelark
#endif

/// Measures the time that a closure takes.
///
/// Costs two clock reads and a 16-byte store, about 50 instructions; one load and one branch while
/// nothing is recorded. Spans nest by time; the closure runs at once, on this thread.
///
/// A typed error of the closure comes through if the closure says its type:
/// `try withSpan("decode") { () throws(DecodeError) in … }`.
///
/// - Parameters:
///   - name: What to call it. Constant, since it identifies the span: values belong elsewhere.
///   - category: What it belongs to, by which it can be filtered. One for each name and line.
///   - file: Left out.
///   - line: Left out.
///   - body: What to measure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable @inline(__always) @discardableResult
public func withSpan<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
  line: UInt32 = #line, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  #if CompiledOut
  return try body()
  #else
  let token = unsafe fl_begin(
    name.characters, file.characters, line, category.characters)
  defer { fl_end(token) }
  return try body()
  #endif
}

/// Begins a span that another function may end. For a scope use ``withSpan(_:file:line:_:)``.
///
/// Tokens of one thread end in reverse order. One that doesn't, or that ends on another thread, is
/// recorded on a row of its own and counted; no other span is harmed.
@inlinable @inline(__always)
public func beginSpan(
  _ name: StaticString, category: StaticString = "", file: StaticString = #fileID,
  line: UInt32 = #line
) -> OpenSpan {
  #if CompiledOut
  return OpenSpan()
  #else
  let token = unsafe fl_begin(
    name.characters, file.characters, line, category.characters)
  return token == 0 ? OpenSpan() : OpenSpan(token: token)
  #endif
}

/// A span that has begun. It ends once: by `end()`, or when the token goes out of scope.
public struct OpenSpan: ~Copyable {
  #if !CompiledOut
  @usableFromInline let token: UInt64
  @usableFromInline let site: UInt32
  @usableFromInline let thread: UInt32

  @inlinable @inline(__always)
  init(token: UInt64) {
    self.token = token
    site = fl_top_site()
    thread = unsafe fl_current().pointee.key
  }
  #endif

  /// A span that is not recorded.
  @inlinable @inline(__always)
  init() {
    #if !CompiledOut
    token = 0
    site = 0
    thread = 0
    #endif
  }

  /// Ends the span.
  @inlinable @inline(__always)
  public consuming func end() {}

  @inlinable @inline(__always)
  deinit {
    #if !CompiledOut
    fl_end_token(token, site, thread)
    #endif
  }
}

extension StaticString {
  /// The text, which ends with a zero byte.
  @inlinable @inline(__always)
  var characters: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
