#if !CompiledOut
public import CFlamelark
internal import FlamelarkFormat
public import Synchronization

/// The thread that has a lock, or had it last. Read and written by the one that has it.
@usableFromInline
struct LockHolder: ~Copyable, Sendable {
  private let resource: Resource
  /// What `fl_me` says, 0: nobody knows.
  @usableFromInline let thread = Atomic<UInt64>(0)
  @usableFromInline let task = Atomic<UInt64>(0)

  @usableFromInline
  init(_ name: StaticString, file: StaticString, line: UInt32) {
    resource = Resource(name, file: file, line: line, kind: .lock)
  }

  /// The calling thread has it from now on.
  @inlinable @inline(__always)
  func enter() {
    // What is known from another recording is told by its number. So nothing is forgotten here.
    guard fl_is_on() else { return }
    thread.store(fl_me(), ordering: .relaxed)
    task.store(fl_my_task(), ordering: .relaxed)
  }

  @usableFromInline
  func beginWait() -> UInt64 { resource.beginWait() }

  /// The calling thread has it from now on and waited for it.
  @usableFromInline
  func endWait(_ token: UInt64) {
    resource.endWait(
      token,
      by: Ender(thread: thread.load(ordering: .relaxed), task: task.load(ordering: .relaxed)))
    enter()
  }
}
#endif
