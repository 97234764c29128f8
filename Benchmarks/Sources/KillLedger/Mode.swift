/// What the threads of a program that will be killed do.
public enum Mode: String, CaseIterable, Sendable {
  /// Short spans, one after the other.
  case plain
  /// Spans in spans.
  case nested
  /// Spans below the least duration, which are summed up, and whose time is measured around them.
  case folded
  /// Spans below the least duration in spans that are sometimes below it too.
  case mixed
  /// The same with some of them over the greatest depth.
  case deep
  /// The same as `plain`, with full buffers handed over.
  case handOver = "hand-over"
  /// The same as `mixed`, with full buffers handed over.
  case handOverSums = "hand-over-sums"
  /// Threads that end after a few spans, one after the other.
  case short
  /// Spans around `await`, in tasks that go from thread to thread.
  case tasks
  /// As `plain`, and killed at any time from the start of the program.
  case start
  /// Nothing more happens in the threads, and the recording is being stopped.
  case stop

  /// How many threads record at once.
  public static let threadCount = 4

  /// The least duration that is recorded, in nanoseconds.
  public var minimumDuration: Int64 {
    switch self {
    case .folded: 10_000_000_000
    case .mixed, .deep, .stop, .handOverSums: 2_000
    default: 0
    }
  }

  /// Whether threads hand over full buffers.
  public var handsOver: Bool { self == .handOver || self == .handOverSums }

  /// How many spans of a thread the recorder may know and the ledger not. Those over the greatest
  /// depth are counted when they begin, and in `deep` two are open at once.
  public var mostUncounted: UInt64 { self == .deep ? 2 : 1 }

  /// The greatest depth that is recorded.
  public var maximumDepth: Int {
    switch self {
    case .deep: 2
    case .stop, .handOverSums: 3
    default: 255
    }
  }
}
