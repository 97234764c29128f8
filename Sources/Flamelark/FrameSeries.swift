#if !CompiledOut
public import CFlamelark
#endif

/// The frames of one loop that has to keep a beat.
///
/// Either call ``mark()`` once a pass, or ``begin(timestamp:target:)`` and `end()` with what a
/// display link says. A frame that comes later than it is due is a hitch; the recorder marks it
/// by the rule that the reports use. Use one series for one loop; it may move between threads.
/// Copies are the same series.
public struct FrameSeries: Sendable {
  #if CompiledOut
  @usableFromInline let label: StaticString
  @usableFromInline let beat: Refresh
  #else
  @usableFromInline let recorder: FrameRecorder
  #endif

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - name: What the reports call it.
  ///   - refresh: How often the loop has to come round.
  @inlinable @inline(__always)
  public init(_ name: StaticString, refresh: Refresh) {
    #if CompiledOut
    label = name
    beat = refresh
    #else
    recorder = FrameRecorder(name: name, refresh: refresh)
    #endif
  }

  /// What the reports call it.
  public var name: String {
    #if CompiledOut
    "\(label)"
    #else
    recorder.name
    #endif
  }

  /// How long a frame may take where nothing else is said.
  public var refresh: Refresh {
    #if CompiledOut
    beat
    #else
    recorder.refresh
    #endif
  }

  /// How often a loop has to come round.
  public struct Refresh: Sendable, Equatable {
    // As it was given: where frames are compiled out, it is computed for nobody.
    @usableFromInline let interval: Duration

    @inlinable
    init(interval: Duration) { self.interval = interval }

    /// The time from one frame to the next, in nanoseconds.
    public var nanoseconds: Int64 {
      let parts = interval.components
      return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    }

    /// So many times a second, 1e-9 to 1e9.
    @inlinable
    public static func hertz(_ rate: Double) -> Refresh {
      precondition(
        rate >= 1e-9 && rate <= 1e9, "a refresh rate must be at least 1e-9 and at most 1e9 Hz")
      // Rounded by hand, since the compiler can do that in advance.
      return Refresh(interval: .nanoseconds(Int64(1e9 / rate + 0.5)))
    }

    /// Once in each interval. A series needs one of at least a nanosecond.
    @inlinable
    public static func every(_ interval: Duration) -> Refresh { Refresh(interval: interval) }
  }
}

// MARK: - A loop without a display link

extension FrameSeries {
  /// Ends the current frame of the loop and begins the next.
  ///
  /// The next one is due one refresh interval from now: a late frame makes no other late. Costs
  /// 890 instructions, some 0.2 µs; a load and a branch while nobody follows frames.
  @inlinable @inline(__always)
  public func mark() {
    #if !CompiledOut
    if fl_follows_frames() { recorder.mark() }
    #endif
  }

  /// Calls the frame that runs now a hitch, for a reason of the program's own.
  ///
  /// The reports show it; it changes no figure.
  @inlinable @inline(__always)
  public func markHitch(
    _ reason: StaticString, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    #if !CompiledOut
    recorder.markHitch(reason, file: file, line: line)
    #endif
  }
}

// MARK: - A loop with a display link

extension FrameSeries {
  /// Begins a frame, with what the display link says of it.
  ///
  /// The frame before is late if this one's timestamp lies behind its target, unless the program says
  /// when frames are shown, ``presented(_:at:)``. From the end of a frame to the beginning of the next
  /// the loop waits; that time is nobody's fault.
  ///
  /// - Parameters:
  ///   - timestamp: When the frame began for the display link: the last refresh.
  ///   - target: When it is due: the refresh at which it is to be shown. nil, or a time that can't
  ///     be (not 1 ms to 1 s after the timestamp): made from the interval before it.
  /// - Returns: The frame, to be ended when its work is done.
  @inlinable @inline(__always)
  public func begin(
    timestamp: SuspendingClock.Instant, target: SuspendingClock.Instant?
  ) -> OpenFrame {
    let due = target.flatMap { $0 > timestamp ? $0 : nil } ?? timestamp + refresh.interval
    #if CompiledOut
    return OpenFrame(due: due)
    #else
    let id =
      // Instants are handed over as numbers: as what they are they are copied by their type's witnesses.
      fl_follows_frames()
      ? recorder.begin(
        timestamp: FrameRecorder.nanoseconds(timestamp),
        target: target.map { FrameRecorder.nanoseconds($0) })
      : .none
    return OpenFrame(id: id, recorder: id.isFollowed ? recorder : nil, due: due)
    #endif
  }
}

// MARK: - Activities

extension FrameSeries {
  /// Begins an activity of this series: a scroll, a transition. It is ended by its token.
  @inlinable @inline(__always)
  public func beginActivity(
    _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line
  ) -> OpenActivity {
    #if CompiledOut
    return OpenActivity()
    #else
    return unsafe OpenActivity(
      name: name.characters, file: file.characters, line: line, series: recorder.identifier)
    #endif
  }
}
