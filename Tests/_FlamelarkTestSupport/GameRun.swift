public import FlamelarkTrace

/// A made-up run of a game loop, as a trace and as Trace Event JSON.
///
/// One thread, 60 Hz, 40 frames. A frame in time takes 8 ms: `update` 3 ms with 2 ms of `physics` in
/// it, and `draw` 4.5 ms; then the loop waits for the next beat. Frames 10 and 20 are late because
/// `physics` takes 16 ms, frame 25 because `draw` calls `upload` 6 times and not once, frame 30
/// because of a new `gc`, frame 35 because of 14 ms outside any span.
public struct GameRun: Sendable {
  /// A span of the loop's thread.
  public struct Span: Sendable {
    /// Its name.
    public let name: String
    /// When it begins.
    public let start: Int64
    /// When it ends.
    public let end: Int64
    /// How many spans are around it.
    public let depth: Int
  }

  /// The spans, parents before children, in the order of time.
  public private(set) var spans: [Span] = []
  /// When each frame begins; the last one is the end.
  public private(set) var marks: [Int64] = []

  /// The interval of 60 Hz.
  public static let interval: Int64 = 16_666_667
  /// The lines that the spans stand on.
  public static let lines: [String: UInt32] = [
    "update": 12, "physics": 20, "draw": 31, "upload": 35, "gc": 40, "wait": 50,
  ]

  /// Makes the run.
  public init() {
    var time: Int64 = 0
    for frame in 0..<40 {
      marks.append(time)
      time = appendFrame(frame, from: time)
    }
    marks.append(time)
  }

  private mutating func appendFrame(_ frame: Int, from begin: Int64) -> Int64 {
    let ms: Int64 = 1_000_000
    var time = begin + ms / 2
    let physics = frame == 10 || frame == 20 ? 16 * ms : 2 * ms
    spans.append(Span(name: "update", start: time, end: time + physics + ms, depth: 0))
    spans.append(
      Span(name: "physics", start: time + ms / 2, end: time + ms / 2 + physics, depth: 1))
    time += physics + ms
    if frame == 30 {
      spans.append(Span(name: "gc", start: time, end: time + 15 * ms, depth: 0))
      time += 15 * ms
    }
    if frame == 35 { time += 14 * ms }
    let uploads: Int64 = frame == 25 ? 6 : 1
    let drawEnd = time + (5 + 4 * uploads) * ms / 2
    spans.append(Span(name: "draw", start: time, end: drawEnd, depth: 0))
    for upload in 0..<uploads {
      let start = time + ms + upload * 2 * ms
      spans.append(Span(name: "upload", start: start, end: start + 2 * ms, depth: 1))
    }
    time = drawEnd
    if time - begin < Self.interval {
      spans.append(Span(name: "wait", start: time, end: begin + Self.interval, depth: 0))
      return begin + Self.interval
    }
    // Late: the next frame begins at once.
    return time
  }

  /// The run as a trace whose loop marked its frames.
  public var trace: Trace {
    var trace = Trace()
    trace.source.processID = 4711
    trace.source.properties = ["executable": "game"]
    trace.wallClockZero = 1_764_495_254_123_456_789
    let file = trace.names.intern("Game/Loop.swift")
    var sites: [String: CallSiteID] = [:]
    var open: [UInt32] = []
    for span in spans {
      let site =
        sites[span.name]
        ?? {
          let site = CallSiteID(UInt32(trace.callSites.count))
          trace.callSites.append(
            Trace.CallSite(
              name: trace.names.intern(span.name), file: file, line: Self.lines[span.name] ?? 0))
          sites[span.name] = site
          return site
        }()
      open.removeLast(open.count - span.depth)
      open.append(UInt32(trace.spans.count))
      trace.spans.append(
        start: span.start, end: span.end, site: site,
        parent: span.depth == 0 ? Trace.Spans.none : open[span.depth - 1])
    }
    trace.tracks = [
      Trace.Track(
        kind: .thread, name: "main", processID: 4711, threadID: 4711, spans: 0..<spans.count)
    ]
    var series = Trace.FrameSeries(name: "game", mode: .marks, refresh: Self.interval)
    for (number, mark) in marks.dropLast().enumerated() {
      var frame = Trace.Frame(number: number, timestamp: mark, track: 0)
      frame.target = mark + Self.interval
      frame.interval = Self.interval
      frame.end = marks[number + 1]
      frame.beginsSegment = number == 0
      series.frames.append(frame)
    }
    trace.frameSeries = [series]
    trace.range = 0..<(marks.last ?? 0)
    return trace
  }

  /// The run as Trace Event JSON. Its frames are instants of a name.
  public func traceEvents(frames name: String = "Frame") -> String {
    func microseconds(_ time: Int64) -> String {
      let fraction = String(time % 1000)
      return "\(time / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
    var lines = [
      #"{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}"#
    ]
    for mark in marks {
      lines.append(
        #"{"ph":"i","s":"t","name":"\#(name)","pid":1,"tid":1,"ts":\#(microseconds(mark))}"#)
    }
    for span in spans {
      let (start, length) = (microseconds(span.start), microseconds(span.end - span.start))
      lines.append(
        #"{"ph":"X","name":"\#(span.name)","pid":1,"tid":1,"ts":\#(start),"dur":\#(length)}"#)
    }
    return #"{"displayTimeUnit":"ns","traceEvents":["# + "\n" + lines.joined(separator: ",\n")
      + "\n]}\n"
  }
}
