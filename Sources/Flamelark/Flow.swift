#if !CompiledOut
public import CFlamelark
#endif

/// A kind of work that is asked for in one place and done in another: on a queue, in a task, on another
/// thread.
///
/// Where it is asked for the link begins, where it is done it ends:
///
///     let job = Flow("decode").begin()
///     workers.add { withSpan("decode") { job.end(); decode() } }
///
/// A link lies in the spans that are open where it begins and ends. Each costs about two
/// spans; a load and a branch while nothing is recorded.
public struct Flow: Sendable {
  #if !CompiledOut
  @usableFromInline let name: StaticString
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt32
  #endif

  /// Creates a kind of links. It says nothing until one begins.
  @inlinable @inline(__always)
  public init(_ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    #if !CompiledOut
    self.name = name
    self.file = file
    self.line = line
    #endif
  }

  /// Begins a link: this thread or task asks for work.
  ///
  /// - Returns: The link, for whoever does the work.
  @inlinable @inline(__always)
  public func begin() -> Link {
    #if CompiledOut
    return Link()
    #else
    let number = unsafe fl_begin_flow(name.characters, file.characters, line)
    return Link(number: number, name: name)
    #endif
  }

  /// A link that has begun. It may end more than once, where several do a part of the work, or never.
  public struct Link: Sendable {
    #if !CompiledOut
    /// Counted in the process, from 1; 0: not recorded.
    @usableFromInline let number: UInt64
    @usableFromInline let name: StaticString

    @inlinable @inline(__always)
    init(number: UInt64, name: StaticString) {
      self.number = number
      self.name = name
    }
    #else
    @inlinable @inline(__always)
    init() {}
    #endif

    /// Ends the link: this thread or task does the work. On any thread.
    @inlinable @inline(__always)
    public func end(file: StaticString = #fileID, line: UInt32 = #line) {
      #if !CompiledOut
      unsafe fl_end_flow(number, name.characters, file.characters, line)
      #endif
    }
  }
}
