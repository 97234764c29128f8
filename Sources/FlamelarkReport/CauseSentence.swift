internal import FlamelarkAnalysis

/// What is different about a cause, as a sentence.
struct CauseSentence {
  let cause: Cause
  /// What the loop's own thread is for.
  let loop: String

  /// The sentence in at most `limit` columns: the name gives way.
  func text(columns limit: Int) -> String {
    let late = Figure.milliseconds(cause.lateTime) + " ms"
    let thread = cause.thread ?? loop
    switch CauseReason(of: cause) {
    case .preempted:
      return named([thread], limit, "", " had no processor for \(late), in good frames \(normal)")
    case .blocked:
      return named(
        cause.path.isEmpty ? [thread] : cause.path, limit, "",
        " waits \(late), in good frames \(normal)")
    case .queued:
      return named(
        cause.path.isEmpty ? [thread] : cause.path, limit, "",
        " has to wait \(late) until it begins, in good frames \(normal)")
    case .backlog: return "frames before it still ran, none of them for longer than normal"
    case .uninstrumented, .other:
      if cause.path.isEmpty {
        return "\(late) pass outside any span where good frames spend \(normal)"
      }
      return named(
        cause.path, limit, "\(late) of ", " pass in no span of it where good frames spend \(normal)"
      )
    case _ where cause.isLockWait:
      return named(
        cause.path, limit, "", " has the lock for \(late) where good frames wait \(normal)")
    case .slower:
      return named(cause.path, limit, "", " takes \(late) where good frames take \(normal)")
    case .moreCalls:
      let (late, normal) = (
        Figure.calls(cause.lateCalls, "time"), Figure.calls(cause.normalCalls)
      )
      return named(cause.path, limit, "", " runs \(late) where good frames run it \(normal)")
    case .new: return named(cause.path, limit, "", " takes \(late) and runs in no good frame")
    case .rare: return named(cause.path, limit, "", " takes \(late) and runs in few good frames")
    }
  }

  /// How the frame came to wait for the thread; nil if it is the loop's own.
  var link: String? {
    guard let link = cause.link else { return nil }
    let thread = PrintableText(cause.thread ?? loop).text
    return switch link {
    case .lock: "the frame waits for a lock that \(thread) has"
    case .condition: "the frame waits for a condition that \(thread) signals"
    case .semaphore: "the frame waits for a semaphore that \(thread) signals"
    case .queue: "the frame waits for work on a queue that \(thread) does"
    case .await: "the frame awaits what \(thread) does"
    case .wait: "the frame waits for what \(thread) does"
    case .flow: "\(thread) does what the frame asked for"
    case .stage: "\(thread) does a stage of the frame"
    }
  }

  /// What is next to nothing in milliseconds has a unit of its own.
  private var normal: String {
    cause.normalTime >= 50_000 || cause.normalTime == 0
      ? Figure.milliseconds(cause.normalTime) : Figure.duration(cause.normalTime)
  }

  private func named(
    _ path: [String], _ limit: Int, _ before: String, _ after: String
  ) -> String {
    let room = limit - columns(of: before) - columns(of: after) - 2
    return "\(before)`\(SpanPath(path).leaf(columns: max(room, 12)))`\(after)"
  }
}
