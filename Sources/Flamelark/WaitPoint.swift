internal import CFlamelark

/// Something of the program's own that is waited for: whoever ends the wait signals it.
///
/// It lets nobody wait and wakes nobody. It remembers the last signal, and a wait on it says who gave
/// that: ``withWait(_:on:category:file:line:_:)``.
public final class WaitPoint: Sendable {
  #if !CompiledOut
  let number = Resource.newNumber()
  private let last = Guarded(Ender())
  #endif

  /// Creates a point that nobody has signalled.
  public init() {}

  /// Tells that this thread or task ends waits on the point. Call it before what wakes those who wait.
  ///
  /// Costs about as much as a marker; one load and one branch while nothing is recorded.
  public func signal() {
    #if !CompiledOut
    // A signal handler must not wait for the lock that its thread may have.
    guard fl_is_recording(), unsafe fl_current().pointee.busy == 0 else { return }
    let ender = Ender.current
    last.with { $0 = ender }
    #endif
  }

  #if !CompiledOut
  /// Who signalled last. Nobody in a signal handler that may have interrupted that.
  var lastEnder: Ender {
    unsafe fl_current().pointee.busy == 0 ? last.with { $0 } : Ender()
  }
  #endif
}
