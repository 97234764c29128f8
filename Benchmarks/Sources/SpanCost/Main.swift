import CLimit
import CSpans
import Flamelark
import Synchronization

/// Runs spans so that something outside can count what they cost.
///
///     SpanCost VARIANT COUNT [FILE]    runs COUNT spans, recording to FILE if it is given
///     SpanCost ratio FILE              times spans against the limit, prints the ratio
///     SpanCost monitor-ratios         times frames with a monitor against four clock reads: ``Monitored``
///     SpanCost sustained|two-threads|first-span FILE    figures of ``Sustained``
///     SpanCost plain-task-loop|task-loop|stack-in-task-loop COUNT [FILE]  the same in a task
///     SpanCost task-ratios|main-actor-ratios FILE     times spans in tasks: ``Tasks``
///     SpanCost pause|pause-handing-over FILE            percentiles of ``Pause``
@main struct SpanCost {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.last == "monitor-ratios" { return Monitored.printRatios() }
    guard arguments.count >= 3 else {
      print("usage: SpanCost VARIANT COUNT [FILE]  |  ratio FILE")
      return
    }
    switch arguments[1] {
    case "ratio": return try printRatio(file: arguments[2])
    case "sustained": return print(try Sustained.toFile(arguments[2]))
    case "two-threads": return print(try Sustained.twoThreads(arguments[2]))
    case "pause": return try Pause.print(arguments[2], handsOver: false)
    case "pause-handing-over": return try Pause.print(arguments[2], handsOver: true)
    case "first-span": return print(try Sustained.firstSpan(arguments[2]))
    case "task-ratios": return try Tasks.printRatios(file: arguments[2], onMainActor: false)
    case "main-actor-ratios": return try Tasks.printRatios(file: arguments[2], onMainActor: true)
    default: break
    }
    guard let count = Int(arguments[2]) else { return }
    if arguments[1].contains("task") {
      return try Tasks.run(
        arguments[1], count, file: arguments.count > 3 ? arguments[3] : nil)
    }
    guard let variant = Variant(rawValue: arguments[1]) else {
      print("unknown variant \(arguments[1])")
      return
    }
    let recording =
      arguments.count > 3
      ? try Recording.start(writingTo: arguments[3], options: variant.options) : nil
    if variant.runsInSpan {
      withSpan("around") { measuredRun(variant, count) }
    } else {
      measuredRun(variant, count)
    }
    try recording?.stop()
  }

  @inline(never) static func limitLoop(_ count: Int) {
    for index in 0..<UInt64(count / 2) {
      var begin = limit_clock()
      outside_call()
      limit_store(index * 2, begin, limit_clock())
      begin = limit_clock()
      outside_call()
      limit_store(index * 2 + 1, begin, limit_clock())
    }
  }

  /// Spans and the limit in turns, so that both meet the same machine. What else runs there only
  /// adds: the cost is what the quickest twentieth of the turns took.
  static func printRatio(file: String) throws {
    let recording = try Recording.start(writingTo: file)
    var limit: [Double] = []
    var spans: [Double] = []
    // A turn fits into a buffer: what it costs to write buffers is measured elsewhere.
    let count = 2000
    measuredRun(.loop, 4000)
    for _ in 0..<601 {
      let start = thread_nanoseconds()
      limitLoop(count)
      let middle = thread_nanoseconds()
      measuredRun(.loop, count)
      let end = thread_nanoseconds()
      limit.append(Double(middle - start) / Double(count))
      spans.append(Double(end - middle) / Double(count))
    }
    try recording.stop()
    limit.sort()
    spans.sort()
    let quick = spans.count / 20
    print("ratio \(spans[quick] / limit[quick]) ns \(spans[quick])")
  }
}

enum Variant: String {
  case plainLoop = "plain-loop"
  case loop
  case plainAlone = "plain-alone"
  case alone
  /// ``loop`` in C and in C++.
  case cLoop = "c-loop"
  case cxxLoop = "cxx-loop"
  /// A free lock of the standard library, and of this one's.
  case plainLock = "plain-lock"
  case lock
  /// Links that begin.
  case flow
  /// Frames: of a loop, of a display link, with when they were shown; their stages; waits on a point.
  case mark
  case frame
  case shownFrame = "shown-frame"
  case stage
  case wait
  /// Frames of a series that has a monitor: of a loop, of a display link, with when they were shown; and
  /// with four monitors.
  case watchedMark = "watched-mark"
  case watchedFrame = "watched-frame"
  case watchedShownFrame = "watched-shown-frame"
  case fourMonitors = "four-monitors"
  /// ``loop`` inside a span, with each span below the least duration.
  case folded
  /// ``loop`` inside a span, with each span over the greatest depth.
  case overDepth = "over-depth"
  /// The same by limits of their name.
  case foldedByName = "folded-by-name"
  case overDepthByName = "over-depth-by-name"
  /// ``loop`` inside a span, where other names have a least duration, and a greatest depth.
  case besideFolded = "beside-folded"
  case besideOverDepth = "beside-over-depth"
  /// ``loop`` with names that are made while the program runs.
  case madeName = "made-name"
  /// A value of the innermost span, and a span of a track, in place of each span.
  case value
  case trackSpan = "track-span"

  var options: Recording.Options {
    var options = Recording.Options()
    switch self {
    case .folded: options.minimumDuration = .seconds(10)
    case .overDepth: options.maximumDepth = 1
    case .foldedByName: options.filters = [.name("work", shorterThan: .seconds(10))]
    case .overDepthByName: options.filters = [.name("work", deeperThan: 1)]
    case .besideFolded: options.filters = [.name("other", shorterThan: .seconds(10))]
    case .besideOverDepth: options.filters = [.name("other", deeperThan: 1)]
    default: break
    }
    return options
  }

  /// Whether it runs inside a span.
  var runsInSpan: Bool {
    switch self {
    case .folded, .overDepth, .foldedByName, .overDepthByName, .besideFolded, .besideOverDepth,
      .value:
      true
    default: false
    }
  }
}

/// What is counted from outside, by its name in the symbol table. The plain variants are the same
/// program without spans.
@inline(never) func measuredRun(_ variant: Variant, _ count: Int) {
  switch variant {
  case .plainLoop:
    for _ in 0..<count / 2 {
      outside_call()
      outside_call()
    }
  case .loop, .folded, .overDepth, .foldedByName, .overDepthByName, .besideFolded,
    .besideOverDepth:
    // Two call sites of one name: an id by name alone would be too cheap, and wrong.
    for _ in 0..<count / 2 {
      withSpan("work") { outside_call() }
      withSpan("work") { outside_call() }
    }
  case .cLoop: c_loop(Int64(count))
  case .cxxLoop: cxx_loop(Int64(count))
  case .plainAlone:
    for _ in 0..<count { plainAlone() }
  case .alone:
    for _ in 0..<count { alone() }
  case .madeName:
    let names = (SpanName("made \(1)"), SpanName("made \(2)"))
    for _ in 0..<count / 2 {
      withSpan(names.0) { outside_call() }
      withSpan(names.1) { outside_call() }
    }
  case .value:
    let bytes = SpanValue("bytes")
    for index in 0..<Int64(count / 2) {
      outside_call()
      bytes.record(index)
      outside_call()
      bytes.record(index)
    }
  case .trackSpan:
    let device = Track("device", ticksPerSecond: 1_000_000)
    for index in 0..<UInt64(count / 2) {
      outside_call()
      device.record("pass", fromTicks: index, toTicks: index + 1)
      outside_call()
      device.record("pass", fromTicks: index, toTicks: index + 1)
    }
  case .mark:
    let frames = FrameSeries("marks", refresh: .hertz(1))
    for _ in 0..<count {
      outside_call()
      frames.mark()
    }
  case .frame, .shownFrame:
    let frames = FrameSeries("frames", refresh: .hertz(60))
    var time = SuspendingClock().now
    for _ in 0..<count {
      let frame = frames.begin(timestamp: time, target: time + .milliseconds(16))
      outside_call()
      let id = frame.id
      frame.end()
      time += .milliseconds(16)
      if variant == .shownFrame { frames.presented(id, at: time) }
    }
  case .watchedMark: Monitored.marks(count, monitors: 1)
  case .fourMonitors: Monitored.marks(count, monitors: 4)
  case .watchedFrame: Monitored.frames(count, areShown: false)
  case .watchedShownFrame: Monitored.frames(count, areShown: true)
  case .stage:
    let frames = FrameSeries("stages", refresh: .hertz(60))
    let time = SuspendingClock().now
    let frame = frames.begin(timestamp: time, target: time + .milliseconds(16))
    for _ in 0..<count { frame.stage("stage") { outside_call() } }
    frame.end()
  case .wait:
    let point = WaitPoint()
    point.signal()
    for _ in 0..<count { withWait("wait", on: point) { outside_call() } }
  case .plainLock:
    for _ in 0..<count { plainLock.withLock { $0 += 1 } }
  case .lock:
    for _ in 0..<count { lock.withLock { $0 += 1 } }
  case .flow:
    for _ in 0..<count / 2 {
      _ = Flow("job").begin()
      outside_call()
      _ = Flow("job").begin()
      outside_call()
    }
  }
}

let plainLock = Mutex(0)
let lock = TracedMutex(0, "lock")

@inline(never) func plainAlone() { outside_call() }

@inline(never) func alone() {
  withSpan("alone") { outside_call() }
}
