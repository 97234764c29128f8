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
  /// Threads that end after a few spans, one after the other.
  case short
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
    case .mixed, .deep, .stop: 2_000
    default: 0
    }
  }

  /// The greatest depth that is recorded.
  public var maximumDepth: Int {
    switch self {
    case .deep: 2
    case .stop: 3
    default: 255
    }
  }
}
