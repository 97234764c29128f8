public import FlamelarkTrace

/// Writes a trace by hand: tracks one after the other, spans as closures or from time to time.
///
///     var builder = TraceBuilder()
///     builder.track("main")
///     builder.span("frame") {
///       $0.span("layout", lasting: .ms(3))
///       $0.pass(.ms(1))
///     }
///     builder.marks("game", at: [0, .ms(4)], refresh: .ms(8))
///     let trace = try builder.build()
public struct TraceBuilder {
  var trace = Trace()
  private var open: [Int] = []
  private var sites: [Trace.CallSite: CallSiteID] = [:]
  /// The time on the track that is being written.
  public private(set) var now: Int64 = 0

  /// An empty trace.
  public init() {}

  /// The trace, once it keeps what the type promises.
  public func build() throws -> Trace {
    var trace = trace
    let times =
      trace.spans.start + trace.spans.end
      + trace.frameSeries.flatMap {
        $0.frames.map(\.timestamp)
      }
    trace.range = (times.min() ?? 0)..<(times.max() ?? 0)
    try trace.checkInvariants()
    return trace
  }

  /// Begins a track; the time is 0 again. Its number is the count of tracks before it.
  public mutating func track(_ name: String, kind: Trace.Track.Kind = .thread) {
    let first = trace.spans.count
    trace.tracks.append(
      Trace.Track(
        kind: kind, name: name, processID: 1, threadID: Int64(trace.tracks.count + 1),
        spans: first..<first))
    now = 0
  }

  /// Lets time pass.
  public mutating func pass(_ duration: Int64) { now += duration }

  /// Goes on at a time.
  public mutating func advance(to time: Int64) { now = time }

  /// A span around what `body` does.
  public mutating func span(
    _ name: String, file: String? = nil, line: UInt32 = 0, _ body: (inout TraceBuilder) -> Void
  ) {
    let index = trace.spans.count
    trace.spans.append(
      start: now, end: now, site: site(name, file: file, line: line),
      parent: open.last.map(UInt32.init) ?? Trace.Spans.none)
    trace.tracks[trace.tracks.count - 1].spans =
      trace.tracks[trace.tracks.count - 1].spans
      .lowerBound..<index + 1
    open.append(index)
    body(&self)
    open.removeLast()
    trace.spans.end[index] = now
  }

  /// A span of a duration.
  public mutating func span(
    _ name: String, file: String? = nil, line: UInt32 = 0, lasting duration: Int64
  ) {
    span(name, file: file, line: line) { $0.pass(duration) }
  }

  /// A span from time to time.
  public mutating func span(
    _ name: String, from start: Int64, to end: Int64,
    _ body: (inout TraceBuilder) -> Void = { _ in }
  ) {
    now = start
    span(name) {
      body(&$0)
      $0.now = end
    }
  }

  /// Spans that a filter left out, one after the other and with nothing in them.
  public mutating func foldedSpans(_ name: String, count: Int, lasting duration: Int64) {
    let start = now
    pass(duration * Int64(count))
    trace.folded.append(
      Trace.FoldedSpans(
        reason: .belowMinimum, track: trace.tracks.count - 1,
        parent: open.last.map(UInt32.init) ?? Trace.Spans.none,
        site: site(name, file: nil, line: 0), range: start..<now, count: count,
        total: now - start, selfTime: now - start, longest: count > 0 ? duration : 0))
  }

  /// Frames of any kind, in order; they get their numbers here.
  public mutating func frames(
    _ name: String, mode: Trace.FrameSeries.Mode, refresh: Int64? = nil, _ frames: [Trace.Frame]
  ) {
    var series = Trace.FrameSeries(name: name, mode: mode, refresh: refresh)
    series.frames = frames
    for index in frames.indices { series.frames[index].number = index }
    trace.frameSeries.append(series)
  }

  /// Frames that were marked at some times, each due `refresh` after its mark.
  public mutating func marks(
    _ name: String, at times: [Int64], refresh: Int64?, track: Int = 0
  ) {
    let marked = times.map { time in
      var frame = Trace.Frame(number: 0, timestamp: time, track: track)
      frame.target = refresh.map { time + $0 }
      frame.interval = refresh
      return frame
    }
    frames(name, mode: .marks, refresh: refresh, marked)
  }

  /// A named moment.
  public mutating func marker(_ name: String, at time: Int64, track: Int? = nil) {
    trace.markers.append(
      Trace.Marker(time: time, site: site(name, file: nil, line: 0), track: track))
  }

  /// The name of a text in the trace.
  public mutating func name(_ text: String) -> NameID { trace.names.intern(text) }

  /// Says that a span had not ended when the recording did.
  public mutating func leaveOpen(span: Int) { trace.spans.unfinished.append(span) }

  mutating func site(_ name: String, file: String?, line: UInt32) -> CallSiteID {
    let site = Trace.CallSite(
      name: trace.names.intern(name), file: file.map { trace.names.intern($0) }, line: line)
    if let known = sites[site] { return known }
    let new = CallSiteID(UInt32(trace.callSites.count))
    trace.callSites.append(site)
    sites[site] = new
    return new
  }
}

extension Trace.Frame {
  /// A frame of a display link.
  public static func displayLink(
    at timestamp: Int64, target: Int64?, begin: Int64? = nil, end: Int64? = nil, track: Int = 0
  ) -> Self {
    var frame = Self(number: 0, timestamp: timestamp, track: track)
    frame.target = target
    frame.interval = target.map { $0 - timestamp }
    frame.begin = begin ?? timestamp
    frame.end = end
    return frame
  }
}

extension Int64 {
  /// Milliseconds in nanoseconds.
  public static func ms(_ milliseconds: Double) -> Int64 {
    Int64((milliseconds * 1_000_000).rounded())
  }
}
