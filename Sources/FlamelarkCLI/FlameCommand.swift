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
    _ = try (arguments.moment(.from), arguments.moment(.to), arguments.refresh())
    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    let range = try frames.range()
    let tree =
      subject == "time"
      ? try time(of: trace, range, frames, arguments, file)
      : try lateness(in: trace, range, frames, arguments, file)
    let graph = FlameGraph(tree, subtitle: file)
    let path = arguments[.output] ?? named(file, subject)
    var output = try OutputFile(at: path == "-" ? nil : path)
    try output.write(graph.svg())
    try output.finish()
    if path != "-" { Terminal.say("\(path): open it in a browser") }
    return .fine
  }

  private static func time(
    of trace: Trace, _ range: Range<Int64>?, _ frames: Frames, _ arguments: Arguments,
    _ file: String
  ) throws -> FlameTree {
    if let range, range.lowerBound > trace.range.upperBound { throw frames.tooLate() }
    let tracks = try ThreadChoice(arguments)?.tracks(of: trace, file)
    guard let tree = FlameTree(timeOf: trace, range: range, tracks: tracks) else {
      throw Complaint("no span of \(file) is there to draw: flamelark info tells what it has")
    }
    return tree
  }

  private static func lateness(
    in trace: Trace, _ range: Range<Int64>?, _ frames: Frames, _ arguments: Arguments,
    _ file: String
  ) throws -> FlameTree {
    var options = Blame.Options()
    options.ranges = range.map { [$0] }
    options.refresh = try arguments.refresh()
    let blame = Blame(of: trace, series: try frames.onlySeries(), options: options)
    guard let tree = FlameTree(of: blame) else {
      throw Complaint(
        "no frame of series \(quoted(blame.frames.series.name)) is late, so there is nothing to draw; "
          + "--of time draws all spans")
    }
    return tree
  }

  /// `game.lark` becomes `game.blame.svg`, in its folder.
  private static func named(_ file: String, _ word: String) -> String {
    file.hasSuffix(".lark") ? "\(file.dropLast(5)).\(word).svg" : "\(file).\(word).svg"
  }
}
