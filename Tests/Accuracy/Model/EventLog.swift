/// What a simulation tells while it runs. Times are nanoseconds after its beginning.
protocol EventLog {
  /// A span begins.
  mutating func open(_ role: Role, on thread: Thread, at time: Int64)
  /// The innermost span of a thread ends.
  mutating func close(_ thread: Thread, at time: Int64, as kind: SpanKind)
  /// A thread spends time.
  mutating func spend(_ range: Range<Int64>, on thread: Thread, as state: ThreadState)
  /// A link begins or ends.
  mutating func link(_ number: Int, from role: Role, on thread: Thread, at time: Int64, ends: Bool)
  /// A frame begins.
  mutating func begin(_ frame: FrameDue)
  /// A frame is over.
  mutating func end(_ frame: FrameTimes)
  /// A frame of another loop begins.
  mutating func mark(_ number: Int, on thread: Thread, at time: Int64)
}

/// What is known of a span beside its times.
enum SpanKind {
  case plain
  /// A part of the work for a frame.
  case stage(frame: Int)
  /// It waited for a lock that another thread gave back at its end.
  case lock(heldBy: Thread)
  /// It waited for a signal that another thread gave at a time.
  case signal(from: Thread, at: Int64)
}

/// What a thread does.
enum ThreadState: Equatable {
  case running
  /// Another had its processor.
  case preempted
  /// Another thread woke it at the end.
  case blocked(until: Thread)
}

/// When a frame begins and is due.
struct FrameDue {
  let number: Int
  let timestamp: Int64
  let target: Int64
  /// From one frame to the next: in a pipeline less than from timestamp to target.
  let interval: Int64
  let begin: Int64
  /// Whether the target is told.
  let isTargetGiven: Bool
  /// Whether the interval is told, where it is another than from timestamp to target.
  let isIntervalGiven: Bool
}

/// When a frame was what.
struct FrameTimes {
  let due: FrameDue
  /// When the loop was ready with it.
  let end: Int64
  /// When its last stage ended.
  let presented: Int64
}

/// Nothing is told: only lateness is asked for.
struct NoLog: EventLog {
  func open(_ role: Role, on thread: Thread, at time: Int64) {}
  func close(_ thread: Thread, at time: Int64, as kind: SpanKind) {}
  func spend(_ range: Range<Int64>, on thread: Thread, as state: ThreadState) {}
  func link(_ number: Int, from role: Role, on thread: Thread, at time: Int64, ends: Bool) {}
  func begin(_ frame: FrameDue) {}
  func end(_ frame: FrameTimes) {}
  func mark(_ number: Int, on thread: Thread, at time: Int64) {}
}
