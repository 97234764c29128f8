#if !CompiledOut
internal import CFlamelark

/// Who signalled a point last.
@usableFromInline
final class LastSignal: Sendable {
  let number = Resource.newNumber()
  private let last = Guarded(Ender())

  @usableFromInline
  init() {}

  /// Remembers the caller.
  @usableFromInline
  func remember() {
    guard !mayBeInterrupted else { return }
    let ender = Ender.current
    last.with { $0 = ender }
  }

  /// Who signalled last; nobody where that can't be asked.
  var ender: Ender { mayBeInterrupted ? Ender() : last.with { $0 } }

  /// Whether this is a signal handler whose thread may have the lock.
  private var mayBeInterrupted: Bool { fl_is_busy() }
}
#endif
