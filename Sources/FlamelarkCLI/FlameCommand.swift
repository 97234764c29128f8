internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark flame`.
enum FlameCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    guard let subject = try arguments.choice(.subject, of: ["time", "blame"]) else {
      throw Complaint("flame needs what to draw: --of time or --of blame")
    }
    if subject == "blame", arguments[.thread] != nil {
      throw Complaint("--thread is for --of time; in a flame graph of blame, threads are boxes")
    }
    for option in [Option.activity, .skip] where subject == "time" && arguments[option] != nil {
      throw Complaint(
        "\(option.rawValue) is for --of blame; in a flame graph of time, spans count whatever frame "
          + "they are in")
    }
    _ = try (arguments.moment(.from), arguments.moment(.to), arguments.refresh())
    var selection = FrameSelection()
    selection.skip = try arguments.skip()
    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    selection.range = try frames.range()
    selection.activity = try frames.activity()
    if let range = selection.range, range.lowerBound > trace.range.upperBound {
      throw frames.tooLate()
    }
    let tree =
      subject == "time"
      ? try time(of: trace, selection.range, arguments, file)
      : try lateness(in: trace, selection, frames, arguments, file)
    let path = arguments[.output] ?? OutputFile.name(beside: file, "\(subject).svg")
    let svg = FlameGraph(tree, subtitle: file).svg()
    try unsafe OutputFile.write(at: path) { sink throws(Complaint) in
      try unsafe svg.span.bytes.withUnsafeBytes { bytes throws(Complaint) in try unsafe sink(bytes)
      }
    }
    if path != "-" {
      Terminal.say(
        OutputName(path).isGzip
          ? "\(path): unpack it for a browser" : "\(path): open it in a browser")
    }
    return .fine
  }

  private static func time(
    of trace: Trace, _ range: Range<Int64>?, _ arguments: Arguments, _ file: String
  ) throws -> FlameTree {
    let tracks = try ThreadChoice(arguments)?.tracks(of: trace, file)
    guard let tree = FlameTree(timeOf: trace, range: range, tracks: tracks) else {
      let part = range == nil && tracks == nil ? "" : " in the part that was asked for"
      throw Complaint(
        "no span of \(file)\(part) is there to draw: flamelark info tells what it has")
    }
    return tree
  }

  private static func lateness(
    in trace: Trace, _ selection: FrameSelection, _ frames: Frames, _ arguments: Arguments,
    _ file: String
  ) throws -> FlameTree {
    var options = Blame.Options()
    let series = try frames.onlySeries()
    options.refresh = try arguments.refresh()
    options.ranges = selection.ranges(of: series, in: trace, refresh: options.refresh)
    let blame = Blame(of: trace, series: series, options: options)
    guard !blame.frames.frames.isEmpty else { throw frames.none(of: [series], selection) }
    guard let tree = FlameTree(of: blame, in: trace, selection: selection) else {
      let part =
        options.ranges == nil
        ? "" : ", of \(Figure.count(blame.frames.frames.count, "frame")) that were asked for,"
      throw Complaint(
        "no frame of series \(quoted(series.name))\(part) is late, so there is nothing to draw; "
          + "--of time draws all spans")
    }
    return tree
  }
}
