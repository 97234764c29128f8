#if !CompiledOut
public import CFlamelark
#endif

/// A recording in progress: spans, frames, counters and markers of this process go to a file.
///
/// At most one exists in a process. While it runs, a file `NAME.live` beside the trace holds what
/// was not written yet; it is removed when the recording stops. A program that ends through `exit`
/// or by returning from `main` needs no `stop()`; one that is killed leaves both files, and every
/// reading command takes them in.
///
/// Where a file can't be written (the disk is full, a limit is reached, it was removed), the recording
/// ends and the program goes on. The trace says why and counts what is lost; ``stop()`` throws, and a
/// line on the standard error says so where nobody calls it.
public final class Recording: Sendable {
  /// The file that is written. It may differ from the path asked for, since no file is
  /// overwritten: `game.lark` becomes `game.2.lark`.
  public let path: String

  private init(path: String) { self.path = path }

  /// Starts recording this process into a new file. Costs a few milliseconds.
  ///
  /// - Parameters:
  ///   - path: The file to write; `%p` stands for the process id. If it exists, a number is put
  ///     into the name and a line on the standard error says so.
  ///   - options: What to leave out.
  /// - Returns: The recording, to be stopped.
  /// - Throws: If this process records already, or the files can't be made.
  public static func start(
    writingTo path: String, options: Options = Options()
  ) throws(RecordingError) -> Recording {
    Recording(path: try Recorder.shared.start(path: path, options: options))
  }

  /// Stops recording and writes what is still buffered. Later calls do nothing.
  ///
  /// Spans that are open come out as unfinished. Other threads may go on calling spans: they cost
  /// what they cost when nothing is recorded.
  public func stop() throws(RecordingError) {
    try Recorder.shared.stop(path: path)
  }

  /// Changes what is left out, from the next span of each thread on.
  ///
  /// - Parameters:
  ///   - maximumDepth: Spans inside this many others are not recorded, 1…255; nil: as before.
  ///   - minimumDuration: Shorter spans are not recorded; nil: as before.
  ///   - filters: What holds for some names and categories, in place of all that held before; nil:
  ///     as before.
  /// - Throws: If a limit can't be.
  public func leaveOut(
    deeperThan maximumDepth: Int? = nil, shorterThan minimumDuration: Duration? = nil,
    filters: [Filter]? = nil
  ) throws(RecordingError) {
    try Recorder.shared.changeFilters(path: path) { options in
      if let maximumDepth { options.maximumDepth = maximumDepth }
      if let minimumDuration { options.minimumDuration = minimumDuration }
      if let filters { options.filters = filters }
    }
  }

  /// Whether this process records now. One load; false where spans are compiled out.
  @inlinable @inline(__always)
  public static var isActive: Bool {
    #if CompiledOut
    return false
    #else
    return fl_is_recording()
    #endif
  }

  /// Names the calling thread in the recording, beyond the 15 bytes that the system keeps.
  public static func nameThread(_ name: String) {
    Recorder.shared.nameThread(name)
  }
}

extension Recording {
  /// What a recording leaves out. What is left out is counted.
  public struct Options: Sendable {
    /// Spans inside this many others are not recorded, 1…255.
    public var maximumDepth: Int
    /// Shorter spans are not recorded.
    public var minimumDuration: Duration
    /// About how many bytes the trace may have, nil: as many as there is space for.
    public var maximumSize: Int?
    /// What happens when it has them.
    public var whenFull = WhenFull.stop
    /// What spans of some names and categories are left out by. Of two for the same the later holds.
    public var filters: [Filter]
    /// A thread of the recorder writes full buffers, and the thread that filled one goes on in
    /// another, of three. A span that meets a full buffer, one in 4,084, then takes some
    /// microseconds where writing takes tens, and now and then a thousand. Costs 180 KB more of the
    /// live file a thread, and CPU time for the hand-over.
    public var handsOverFullBuffers: Bool

    /// Ticks from the processor if they are reliable; false: from the system's clock.
    package var usesProcessorCounter = true

    /// Options that record everything.
    public init(
      maximumDepth: Int = 255, minimumDuration: Duration = .zero, filters: [Filter] = [],
      maximumSize: Int? = nil, whenFull: WhenFull = .stop, handsOverFullBuffers: Bool = false
    ) {
      self.maximumDepth = maximumDepth
      self.minimumDuration = minimumDuration
      self.maximumSize = maximumSize
      self.whenFull = whenFull
      self.filters = filters
      self.handsOverFullBuffers = handsOverFullBuffers
    }

    var arePossible: Bool {
      (1...255).contains(maximumDepth) && minimumDuration.isPossibleMinimum
        && filters.allSatisfy(\.isPossible)
    }

    /// What happens when a trace has the size that it may have.
    public enum WhenFull: Sendable {
      /// Nothing more is recorded.
      case stop
      /// The recording goes on in another file, with the next number in its name; the one before it
      /// is kept and older ones are removed. Spans that are open then end with the old file.
      case rotate
    }
  }
}
