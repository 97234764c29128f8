#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat

/// Spans in which a thread or a task waited.
@usableFromInline
enum Wait {
  @usableFromInline
  static func end(_ token: UInt64, on point: WaitPoint?) {
    end(
      token, kind: .other, resource: point?.signals.number ?? 0, by: point?.signals.ender ?? Ender()
    )
  }

  /// Ends the span that began last on this thread.
  static func end(_ token: UInt64, kind: WaitKind, resource: UInt64, by ender: Ender) {
    guard token != 0 else { return }
    let session = unsafe fl_current().pointee.session
    let link = link(kind, words: ender.words(of: resource, session: session))
    unsafe withUnsafePointer(to: link) { unsafe fl_end_linked(token, $0) }
  }

  /// Ends a span around `await`.
  @usableFromInline
  static func endTaskWait(_ token: UInt64, on point: WaitPoint?) {
    let ender = point?.signals.ender ?? Ender()
    // The thread may be new to the recording. A token has 16 bits of its number.
    let isOfThisRecording = ender.thread >> 32 & 0xFFFF == token >> 48
    let link = link(
      .await,
      words: ender.words(
        of: point?.signals.number ?? 0,
        session: isOfThisRecording ? UInt32(ender.thread >> 32) : 0))
    unsafe withUnsafePointer(to: link) { unsafe fl_end_linked_task_span(token, $0) }
  }

  private static func link(
    _ kind: WaitKind, words: (UInt64, UInt64, UInt64, UInt64)
  ) -> fl_link {
    fl_link(kind: EventRecord.Kind.wait.rawValue, detail: kind.rawValue, count: 4, words: words)
  }
}
#endif
