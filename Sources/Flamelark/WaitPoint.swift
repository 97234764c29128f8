#if !CompiledOut
public import CFlamelark
#endif

/// Something of the program's own that is waited for: whoever ends the wait signals it.
///
/// It lets nobody wait and wakes nobody. It remembers the last signal, and a wait on it says who gave
/// that: ``withWait(_:on:category:file:line:_:)``. Copies are the same point.
public struct WaitPoint: Sendable {
  #if !CompiledOut
  @usableFromInline let signals: LastSignal
  #endif

  /// Creates a point that nobody has signalled.
  @inlinable @inline(__always)
  public init() {
    #if !CompiledOut
    signals = LastSignal()
    #endif
  }

  /// Tells that this thread or task ends waits on the point. Call it before what wakes those who wait.
  ///
  /// Costs about as much as a marker; a load and a branch while nothing is recorded.
  @inlinable @inline(__always)
  public func signal() {
    #if !CompiledOut
    if fl_is_on() { signals.remember() }
    #endif
  }
}
