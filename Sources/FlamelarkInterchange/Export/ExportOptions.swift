/// What of a trace is exported, and how it is called.
public struct ExportOptions: Sendable {
  /// Only what happens in here, on the trace's axis. Spans that cross an edge are cut there.
  public var range: Range<Int64>?
  /// The series whose frames get a scope `Frame` around their spans: an index into
  /// `Trace.frameSeries`. Nil: the one with most frames.
  public var series: Int?
  /// What a frame may take, in nanoseconds, where hitches are found; nil: as the trace says.
  public var refresh: Int64?
  /// Whether Trace Event JSON tells the hitches of the series. Tracy takes asynchronous events for
  /// zones of a thread: for it, leave out hitches and tasks.
  public var hasHitches = true
  /// Whether the rows of tasks are written.
  public var hasTasks = true
  /// The names of processes. Where one is missing, what the trace says.
  public var processNames: [Int64: String] = [:]
  /// The name of the whole, for viewers that show one.
  public var title = "flamelark"

  /// The whole trace.
  public init() {}
}

/// What an export wrote, and what it changed for the sake of its readers.
public struct ExportSummary: Sendable, Equatable {
  /// One row of the trace.
  public struct Track: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Begun and ended scopes written.
    public var slices = 0
    /// Scopes that end 1 ns earlier, because another begins where they ended.
    public var nudged = 0
    /// Scopes of 1 ns that this left nothing of.
    public var emptied = 0
    /// Scopes without a duration, written as instants.
    public var instants = 0
    /// Scopes deeper than the readers can stand, left out.
    public var tooDeep = 0
    /// Scopes cut at an edge of the range, or not ended when the recording did.
    public var cut = 0
    /// Its scopes are asynchronous, so that they load no reader of threads.
    public var isAsynchronous = false

    init(name: String) { self.name = name }
  }

  /// The rows in the order of the file.
  public var tracks: [Track] = []
  /// Frames that got their scope.
  public var frameScopes = 0
  /// Frames without a scope, because a span crosses their beginning or end.
  public var framesWithoutScope = 0
  /// Late frames that were told.
  public var hitches = 0
  /// Links that were written: flows, and waits with who ended them.
  public var links = 0
  /// Links of which the beginning or every end is not known or not in the range, left out.
  public var partialLinks = 0
  /// Counter values that are not finite, left out.
  public var notFinite = 0
  /// The deepest nesting that was written.
  public var depthLimit: Int
  /// With more slices in a thread than this, speedscope needs long to open the file.
  public var comfortableSlices: Int?

  init(depthLimit: Int, comfortableSlices: Int?) {
    self.depthLimit = depthLimit
    self.comfortableSlices = comfortableSlices
  }

  /// What a person should know, a sentence each.
  public var notices: [String] {
    var notices: [String] = []
    if let comfortableSlices {
      for track in tracks where track.slices > comfortableSlices && !track.isAsynchronous {
        notices.append(
          "\(track.name) has \(track.slices) slices, over \(comfortableSlices): speedscope will be "
            + "slow to open this; export --as speedscope, or a part with --from and --to")
      }
    }
    func notice(_ count: Int, _ text: String) {
      if count > 0 { notices.append("\(count) \(text)") }
    }
    notice(tracks.reduce(0) { $0 + $1.tooDeep }, "spans deeper than \(depthLimit) left out")
    notice(
      tracks.reduce(0) { $0 + $1.emptied },
      "spans of 1 ns left out: another begins where they ended")
    notice(
      framesWithoutScope, "frames without a scope Frame: a span crosses their beginning or end")
    notice(
      partialLinks, "links left out: their beginning or their end is not in what is exported")
    notice(notFinite, "counter values that are not finite left out")
    return notices
  }
}
