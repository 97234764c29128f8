extension Trace {
  /// The frames of one loop.
  public struct FrameSeries: Sendable {
    /// How the frames were told.
    public enum Mode: String, Sendable {
      /// `mark()` at the end of each pass.
      case marks
      /// `begin(timestamp:target:)` and `end()`, as a display link says.
      case displayLink = "display-link"
      /// With the times at which they were shown.
      case presented
      /// Spans or instants of a trace that has no frames of its own.
      case spans
    }

    /// Its name.
    public var name: String
    /// How its frames were told.
    public var mode: Mode
    /// The interval that the program or the user gave, in nanoseconds; nil if none.
    public var refresh: Int64?
    /// The frames in the order of their timestamps.
    public var frames: [Frame] = []
    /// The hitches that the recorder marked while it ran.
    public var markedByRecorder: [RecordedHitch] = []
    /// The frames that the program called hitches.
    public var markedByProgram: [MarkedHitch] = []
    /// The times in which the program said that it wants no frames, in the order of their beginnings.
    public var rests: [Rest] = []

    /// Creates a series without frames.
    public init(name: String, mode: Mode, refresh: Int64? = nil) {
      self.name = name
      self.mode = mode
      self.refresh = refresh
    }
  }

  /// One pass of a loop. Times are on the trace's axis; nil is not known.
  public struct Frame: Sendable, Equatable {
    /// Counted from 0 in its series.
    public var number: Int
    /// When it began, by the display link or the mark.
    public var timestamp: Int64
    /// When it is due.
    public var target: Int64?
    /// What it may take: target − timestamp, by the display link's word.
    public var interval: Int64?
    /// When the program began it, on the clock of the spans.
    public var begin: Int64
    /// When the program had it ready.
    public var end: Int64?
    /// When it was shown.
    public var presented: Int64?
    /// It was not shown.
    public var isDiscarded = false
    /// Whether a frame was asked for, if that was said.
    public var isRequested: Bool?
    /// Its target was not given, but made from the interval before it.
    public var targetIsEstimated = false
    /// The first after a break: nothing before it makes it late.
    public var beginsSegment = false
    /// A scene or state that frames are compared within.
    public var tag: NameID?
    /// The row on which it ran: an index into ``Trace/tracks``.
    public var track: Int
    /// The span that is this frame, where frames are spans.
    public var span: Int?

    /// Creates a frame of which only the beginning is known.
    public init(number: Int, timestamp: Int64, track: Int) {
      self.number = number
      self.timestamp = timestamp
      self.begin = timestamp
      self.track = track
    }
  }

  /// A time in which the program said that it wants no frames.
  public struct Rest: Sendable, Equatable {
    /// What the program said.
    public enum Kind: String, Sendable {
      /// The series paused: the frame behind it is a first frame.
      case paused
      /// No frame was needed.
      case noFrameNeeded = "no-frame-needed"
    }

    /// What the program said.
    public var kind: Kind
    /// The last frame that had begun, nil if none had.
    public var frame: Int?
    /// From when to when. A pause that nobody ended ends with the next frame.
    public var range: Range<Int64>
    /// Nobody said that it ended, and no frame did: its end is that of what is known.
    public var isUnfinished = false

    /// Creates a rest.
    public init(kind: Kind, frame: Int?, range: Range<Int64>) {
      self.kind = kind
      self.frame = frame
      self.range = range
    }
  }

  /// A hitch that the recorder marked while it ran.
  public struct RecordedHitch: Sendable, Equatable {
    /// The frame that was late.
    public var frame: Int
    /// By how much, in nanoseconds.
    public var lateness: Int64

    /// Creates the mark of a late frame.
    public init(frame: Int, lateness: Int64) {
      self.frame = frame
      self.lateness = lateness
    }
  }

  /// A frame that the program called a hitch. It changes no figure.
  public struct MarkedHitch: Sendable, Equatable {
    /// The frame in which it was called.
    public var frame: Int
    /// When.
    public var time: Int64
    /// Why.
    public var reason: NameID

    /// Creates the mark of a frame.
    public init(frame: Int, time: Int64, reason: NameID) {
      self.frame = frame
      self.time = time
      self.reason = reason
    }
  }

  /// An interval over which frames are judged together: a scroll, a transition.
  public struct Activity: Sendable, Equatable {
    /// Its name.
    public var name: NameID
    /// From its beginning to its end.
    public var range: Range<Int64>
    /// The series that it concerns, nil: all.
    public var series: Int?
    /// It had not ended when the recording did.
    public var isUnfinished = false

    /// Creates an activity.
    public init(name: NameID, range: Range<Int64>, series: Int? = nil) {
      self.name = name
      self.range = range
      self.series = series
    }
  }
}
