#if !CompiledOut
public import CFlamelark
#endif

/// A row of spans whose times another clock or device gave: a GPU, a decoder, a network card.
///
/// They are recorded when their times are known, in any order and on any thread; those that overlap lie
/// on several rows. Tracks of one name are one track; creating one costs nothing. Spans that end a
/// second before the recording or begin a second after it are left out, and counted.
public struct Track: Sendable {
  #if !CompiledOut
  @usableFromInline let name: SpanName
  /// 0: its clock is CLOCK_MONOTONIC.
  @usableFromInline let ticksPerSecond: UInt64
  #endif

  /// Creates a track.
  ///
  /// - Parameters:
  ///   - name: What the row is called.
  ///   - ticksPerSecond: The rate of the device's clock, which ``relate(ticks:to:)`` ties to the
  ///     system's. Left out, ticks are nanoseconds of CLOCK_MONOTONIC.
  ///   - file: Left out.
  ///   - line: Left out.
  @inlinable @inline(__always)
  public init(
    _ name: StaticString, ticksPerSecond: UInt64 = 0, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    #if !CompiledOut
    self.name = SpanName(constant: name, file: file, line: line)
    self.ticksPerSecond = ticksPerSecond
    #endif
  }

  /// Creates a track whose name is made while the program runs.
  @inlinable @inline(__always)
  public init(_ name: SpanName, ticksPerSecond: UInt64 = 0) {
    #if !CompiledOut
    self.name = name
    self.ticksPerSecond = ticksPerSecond
    #endif
  }

  /// Records a span of CLOCK_MONOTONIC. Costs some two spans; one load and one branch while nothing is
  /// recorded.
  ///
  /// - Parameters:
  ///   - name: What to call it.
  ///   - category: What it belongs to. One for each name and line.
  ///   - begin: When it began.
  ///   - end: When it ended.
  ///   - file: Left out.
  ///   - line: Left out.
  @inlinable @inline(__always)
  public func record(
    _ name: StaticString, category: StaticString = "", from begin: SuspendingClock.Instant,
    to end: SuspendingClock.Instant, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    #if !CompiledOut
    guard fl_is_on() else { return }
    let (from, to) = (begin.monotonicTicks, end.monotonicTicks)
    unsafe write(
      name.characters, file.characters, line, category.characters, from: from, to: to,
      ticksPerSecond: 0)
    #endif
  }

  /// Records a span in ticks of the device's clock. Costs what a span costs; one load and one branch
  /// while nothing is recorded.
  ///
  /// Where the clock was never related to the system's, its spans are left out, and counted.
  ///
  /// - Parameters:
  ///   - name: What to call it.
  ///   - category: What it belongs to. One for each name and line.
  ///   - begin: When it began.
  ///   - end: When it ended.
  ///   - file: Left out.
  ///   - line: Left out.
  @inlinable @inline(__always)
  public func record(
    _ name: StaticString, category: StaticString = "", fromTicks begin: UInt64, toTicks end: UInt64,
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    #if !CompiledOut
    guard fl_is_on() else { return }
    unsafe write(
      name.characters, file.characters, line, category.characters, from: begin, to: end,
      ticksPerSecond: ticksPerSecond)
    #endif
  }

  /// Tells what the system's clock was at a tick of the device's, as far as that is known.
  ///
  /// Any number of times, also after the spans: between two of them, at least 0.1 s apart, times lie
  /// on a straight line; the rate alone holds where there is one. One that contradicts the rate by
  /// over one in a hundred is left out, and counted.
  ///
  /// - Parameters:
  ///   - ticks: What the device's clock said.
  ///   - instant: When.
  @inlinable @inline(__always)
  public func relate(ticks: UInt64, to instant: SuspendingClock.Instant) {
    #if !CompiledOut
    guard fl_is_on(), ticksPerSecond > 0 else { return }
    let monotonic = Int64(bitPattern: instant.monotonicTicks)
    unsafe withUnsafePointer(to: track) { track in
      unsafe fl_relate_track(track, ticks, monotonic, ticksPerSecond)
    }
    #endif
  }
}

#if !CompiledOut
extension Track {
  @inlinable @inline(__always)
  var track: fl_track { unsafe fl_track(name: name.text, file: name.file, line: name.line) }

  @inlinable @inline(__always)
  func write(
    _ name: UnsafePointer<CChar>, _ file: UnsafePointer<CChar>, _ line: UInt32,
    _ category: UnsafePointer<CChar>, from: UInt64, to: UInt64, ticksPerSecond: UInt64
  ) {
    unsafe withUnsafePointer(to: track) { track in
      unsafe fl_record_track_span(
        track, name, file, line, category, from, to, ticksPerSecond)
    }
  }
}

extension SuspendingClock.Instant {
  /// CLOCK_MONOTONIC in nanoseconds.
  @usableFromInline
  var monotonicTicks: UInt64 { UInt64(bitPattern: FrameRecorder.nanoseconds(self)) }
}
#endif
