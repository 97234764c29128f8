internal import FlamelarkFormat

extension Trace {
  /// A row of a Swift task; one whose spans don't nest has several.
  public struct Task: Sendable, Equatable {
    /// What the run-time calls it: unique in its process.
    public var id: UInt64
    /// Its row: an index into ``Trace/tracks``.
    public var track: Int

    /// Creates a task.
    public init(id: UInt64, track: Int) {
      self.id = id
      self.track = track
    }
  }

  /// A thread was seen to run another task than before, or none.
  ///
  /// It is seen where a span around `await` begins or ends, and where a span begins that no other is
  /// around. In between the thread may have run other tasks that have no spans.
  public struct TaskChange: Sendable, Equatable {
    /// From when on.
    public var time: Int64
    /// The thread: an index into ``Trace/tracks``.
    public var track: Int
    /// What the run-time calls the task, nil: none. It has a row only if it has spans of its own.
    public var task: UInt64?

    /// Creates a change.
    public init(time: Int64, track: Int, task: UInt64?) {
      self.time = time
      self.track = track
      self.task = task
    }
  }

  /// Where a span around `await` began and ended.
  ///
  /// On two threads: it was suspended in between. On one: that is not known.
  public struct TaskSpan: Sendable, Equatable {
    /// An index into ``Trace/spans``.
    public var span: Int
    /// The thread on which it began, nil: not known.
    public var begin: Int?
    /// The thread on which it ended, nil: it had not ended.
    public var end: Int?

    /// Creates the ends of a span.
    public init(span: Int, begin: Int?, end: Int?) {
      self.span = span
      self.begin = begin
      self.end = end
    }
  }

  /// What a span waited for, and who ended it.
  public struct Wait: Sendable, Equatable {
    /// What was waited for.
    public enum Kind: String, Sendable, CaseIterable {
      /// Something of the program's own.
      case other
      /// A lock that another had.
      case lock
      /// A condition to be signalled.
      case condition
      /// A semaphore to be signalled.
      case semaphore
      /// Work on a queue to be done.
      case queue
      /// `await`.
      case await
    }

    /// An index into ``Trace/spans``.
    public var span: Int
    /// What was waited for.
    public var kind: Kind
    /// Which of that kind: equal for waits for one thing, 0: not known.
    public var resource: UInt64
    /// The thread that ended it: an index into ``Trace/tracks``, nil: not known.
    public var endedByTrack: Int?
    /// The task that ended it, nil: none, or not known.
    public var endedByTask: UInt64?
    /// When it was ended. Before the span began: it did not block. nil: about when the span ended.
    public var endedAt: Int64?

    /// Creates a wait of which nobody knows who ended it.
    public init(span: Int, kind: Kind, resource: UInt64) {
      self.span = span
      self.kind = kind
      self.resource = resource
    }
  }

  /// A link from where something was asked for to where it was done.
  public struct Flow: Sendable, Equatable {
    /// Where a link begins or ends.
    public struct Point: Sendable, Equatable {
      /// When.
      public var time: Int64
      /// On which thread: an index into ``Trace/tracks``.
      public var track: Int
      /// In which task, nil: none.
      public var task: UInt64?
      /// Where in the source.
      public var site: CallSiteID

      /// Creates a point.
      public init(time: Int64, track: Int, task: UInt64? = nil, site: CallSiteID) {
        self.time = time
        self.track = track
        self.task = task
        self.site = site
      }
    }

    /// Counted in its process.
    public var number: UInt64
    /// Where it begins, nil: not in this trace.
    public var begin: Point?
    /// Where it ends, in the order of time.
    public var ends: [Point]

    /// Creates a link.
    public init(number: UInt64, begin: Point?, ends: [Point] = []) {
      self.number = number
      self.begin = begin
      self.ends = ends
    }
  }

  /// A span that is a stage of a frame.
  public struct Stage: Sendable, Equatable {
    /// An index into ``Trace/spans``.
    public var span: Int
    /// The series of the frame: an index into ``Trace/frameSeries``.
    public var series: Int
    /// Its number in the series.
    public var frame: Int

    /// Creates a stage.
    public init(span: Int, series: Int, frame: Int) {
      self.span = span
      self.series = series
      self.frame = frame
    }
  }

  /// A value that the program gave a span.
  public struct SpanValue: Sendable, Equatable {
    /// An index into ``Trace/spans``.
    public var span: Int
    /// What it is.
    public var name: NameID
    /// How much.
    public var value: Int64

    /// Creates a value.
    public init(span: Int, name: NameID, value: Int64) {
      self.span = span
      self.name = name
      self.value = value
    }
  }

  /// A part of the program's code: its executable or a library.
  public struct Module: Sendable, Equatable {
    /// The file.
    public var path: String
    /// What names the build of it, as hexadecimal digits; nil: it has none.
    public var buildID: String?
    /// Where it was loaded: what is added to the addresses in its file.
    public var base: UInt64
    /// From there to the end of its last part in memory.
    public var byteCount: UInt64
    /// When it was first seen.
    public var time: Int64

    /// Creates a module.
    public init(path: String, buildID: String?, base: UInt64, byteCount: UInt64, time: Int64) {
      self.path = path
      self.buildID = buildID
      self.base = base
      self.byteCount = byteCount
      self.time = time
    }
  }
}

extension Trace.Wait.Kind {
  /// As a recording says it; what this version doesn't know is the program's own.
  init(_ kind: UInt16) {
    switch WaitKind(rawValue: kind) {
    case .lock: self = .lock
    case .condition: self = .condition
    case .semaphore: self = .semaphore
    case .queue: self = .queue
    case .await: self = .await
    case .other, nil: self = .other
    }
  }
}
