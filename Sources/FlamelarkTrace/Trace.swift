/// Everything that one recording holds, in columns.
///
/// Times are nanoseconds after the trace's first event. A span, a track or a name is an index into
/// a column, not an object: a trace of 100 million spans fits into memory at 25 bytes a span.
///
/// Invariants, checked by ``checkInvariants()``:
/// * a track's spans are contiguous in ``spans`` and in the order of their beginning, parents
///   before children;
/// * a child lies within its parent, siblings don't overlap;
/// * a sum of left-out spans stands on the track of the span around it;
/// * frames of a series are numbered from 0 without gaps and, but for those that begin a segment,
///   in the order of their timestamps.
public struct Trace: Sendable {
  /// Where the trace comes from.
  public var source = Source()
  /// The texts of the trace, by ``NameID``.
  public var names = NameTable()
  /// The places in the source that spans, markers and counters name.
  public var callSites: [CallSite] = []
  /// The rows of the trace: threads, lanes and tracks.
  public var tracks: [Track] = []
  /// All spans of all tracks.
  public var spans = Spans()
  /// The spans that a filter left out, summed up, in the order in which they ran on each row.
  public var folded = FoldedSums()
  /// The loops whose frames were recorded.
  public var frameSeries: [FrameSeries] = []
  /// The intervals over which frames are judged together.
  public var activities: [Activity] = []
  /// Named moments, in the order of time.
  public var markers: [Marker] = []
  /// Numbers over time.
  public var counters: [Counter] = []
  /// The tasks that have a row, in the order of their rows.
  public var tasks: [Task] = []
  /// Which task each thread was seen to run, in the order of row and time.
  public var taskChanges: [TaskChange] = []
  /// Where spans around `await` began and ended, in the order of the spans.
  public var taskSpans: [TaskSpan] = []
  /// What spans waited for, in the order of the spans.
  public var waits: [Wait] = []
  /// When threads had no processor, in the order of row and time. Empty: not recorded.
  public var threadStates: [ThreadState] = []
  /// Links from one place to another, in the order of their beginnings.
  public var flows: [Flow] = []
  /// The spans that are stages of frames, in their order.
  public var stages: [Stage] = []
  /// Values of spans, in the order of the spans and of time.
  public var values: [SpanValue] = []
  /// The clocks of devices that gave spans their times, in the order of their names.
  public var deviceClocks: [DeviceClock] = []
  /// The code that was loaded, in the order in which it was seen.
  public var modules: [Module] = []
  /// What the reader repaired or could not read, what the recorder lost, each with its count.
  public var issues: [Issue] = []
  /// From the first event to the last.
  public var range: Range<Int64> = 0..<0
  /// CLOCK_REALTIME of time 0 in nanoseconds since 1970, nil if the file doesn't say.
  public var wallClockZero: Int64?

  /// An empty trace.
  public init() {}
}

extension Trace {
  /// The program and the recorder behind a trace.
  public struct Source: Sendable, Equatable {
    /// Which kind of file it was read from.
    public enum Kind: String, Sendable {
      /// A recording of Flamelark.
      case flamelark
      /// Trace Event JSON of another tool.
      case traceEvent = "trace-event"
    }

    /// Which kind of file it was read from.
    public var kind = Kind.flamelark
    /// The process that was recorded, if it was one.
    public var processID: Int64?
    /// What the file says about itself: executable, host, options.
    public var properties: [String: String] = [:]
    /// How the recording ended.
    public var ending = Ending.stopped
    /// The greatest depth that was recorded at first, nil without limit.
    public var maximumDepth: Int?
    /// The least duration that was recorded at first, in nanoseconds.
    public var minimumDuration: Int64 = 0
    /// What was left out: from the start, which is before time 0, and from each change on. Empty
    /// where the file doesn't say.
    public var filters: [Filter] = []

    /// Creates the source of an empty trace.
    public init() {}
  }

  /// How a recording ended.
  public enum Ending: String, Sendable {
    /// It was stopped, or the file doesn't say.
    case stopped
    /// The program still runs and records.
    case running
    /// The program ended without stopping it; what it left was taken in.
    case killed
  }

  /// Where a span, marker or counter stands in the source.
  public struct CallSite: Sendable, Hashable {
    /// Its name.
    public var name: NameID
    /// The file as the compiler names it, nil if not known.
    public var file: NameID?
    /// The line, 0 if not known.
    public var line: UInt32
    /// What its spans belong to, nil if the program doesn't say.
    public var category: NameID?

    /// Creates a call site.
    public init(name: NameID, file: NameID? = nil, line: UInt32 = 0, category: NameID? = nil) {
      self.name = name
      self.file = file
      self.line = line
      self.category = category
    }
  }

  /// A row of the trace.
  public struct Track: Sendable {
    /// What a row stands for.
    public enum Kind: String, Sendable {
      /// A thread of the system.
      case thread
      /// Spans that left their thread's stack or overlap others of it.
      case lane
      /// A Swift task: its spans around `await`, on whatever thread they ran. Also what the file of
      /// another tool calls asynchronous.
      case task
      /// What another clock or device did.
      case track
    }

    /// What the row stands for.
    public var kind: Kind
    /// Its name, for a person.
    public var name: String
    /// The process, as the file names it.
    public var processID: Int64
    /// The system's thread id; of a lane that of its thread; 0 of what runs on no certain thread.
    public var threadID: Int64
    /// Its spans in ``Trace/spans``.
    public var spans: Range<Int>
    /// What filters dropped here, and what happened to its spans.
    public var counts = TrackCounts()

    /// Creates a row.
    public init(
      kind: Kind, name: String, processID: Int64, threadID: Int64, spans: Range<Int> = 0..<0
    ) {
      self.kind = kind
      self.name = name
      self.processID = processID
      self.threadID = threadID
      self.spans = spans
    }
  }

  /// What filters dropped on a track, and what happened to its spans.
  public struct TrackCounts: Sendable, Equatable {
    /// Spans over the greatest depth.
    public var overDepth: UInt64 = 0
    /// Spans below the least duration.
    public var belowMinimum: UInt64 = 0
    /// Their time, in nanoseconds.
    public var belowMinimumTime: Int64 = 0
    /// Spans that ended out of order or on another thread.
    public var detached: UInt64 = 0
    /// Records that could not be written.
    public var lost: UInt64 = 0

    /// Counts of nothing.
    public init() {}
  }

  /// A named moment.
  public struct Marker: Sendable {
    /// When.
    public var time: Int64
    /// What.
    public var site: CallSiteID
    /// The row on which it was recorded, nil if it concerns the whole process.
    public var track: Int?

    /// Creates a marker.
    public init(time: Int64, site: CallSiteID, track: Int?) {
      self.time = time
      self.site = site
      self.track = track
    }
  }

  /// A number over time.
  public struct Counter: Sendable {
    /// Its name.
    public var name: NameID
    /// When it changed, ascending.
    public var times: [Int64] = []
    /// To what. As many as ``times``.
    public var values: [Double] = []

    /// Creates a counter without values.
    public init(name: NameID) { self.name = name }
  }

  /// Something that was repaired, dropped or lost.
  public struct Issue: Sendable, Equatable {
    /// A sentence in the plural, for example "elements without a phase skipped".
    public var text: String
    /// How often.
    public var count: Int
    /// The byte where it first happened, nil if it has no place.
    public var offset: Int?

    /// Creates an issue.
    public init(_ text: String, count: Int, offset: Int? = nil) {
      self.text = text
      self.count = count
      self.offset = offset
    }
  }
}
