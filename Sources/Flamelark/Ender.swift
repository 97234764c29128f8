internal import CFlamelark

/// The thread and the task that end a wait, and when.
struct Ender: Sendable {
  /// What `fl_me` says, 0: nobody knows.
  var thread: UInt64 = 0
  /// 0: none.
  var task: UInt64 = 0
  /// 0: not known.
  var tick: UInt64 = 0

  /// The one who does it now. Nobody while nothing is recorded.
  static var current: Ender {
    #if CompiledOut
    return Ender()
    #else
    guard fl_is_recording() else { return Ender() }
    return Ender(thread: fl_me(), task: fl_current_task(), tick: fl_tick())
    #endif
  }

  /// The words of a wait's record, for a thread that records into a recording.
  ///
  /// What ended before that recording began, or after it ended, is not known in it.
  func words(of resource: UInt64, session: UInt32) -> (UInt64, UInt64, UInt64, UInt64) {
    guard thread >> 32 == UInt64(session) else { return (resource, 0, 0, 0) }
    return (resource, thread & UInt64(UInt32.max), task, tick)
  }
}
