internal import FlamelarkInterchange
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark export`.
enum ExportCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    guard let form = try arguments.choice(.form, of: ["trace-event", "speedscope"]) else {
      throw Complaint(
        "export needs the format to write: --as trace-event or --as speedscope")
    }
    _ = try (arguments.moment(.from), arguments.moment(.to))
    let left = try arguments.choice(.without, of: ["hitches", "tasks", "both"])
    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    var options = ExportOptions()
    options.title = PrintableText(file).text
    options.refresh = try arguments.refresh()
    options.hasHitches = left == nil || left == "tasks"
    options.hasTasks = left == nil || left == "hitches"
    if let range = try frames.range() {
      // One more than the last moment, so that what happens in it is within.
      let end = trace.range.upperBound &+ 1
      guard range.lowerBound < end else { throw frames.tooLate() }
      options.range = range.lowerBound..<min(range.upperBound, end)
    }
    let part = try selected(trace, file, arguments)
    if let name = arguments[.series], arguments[.frames] == nil {
      _ = try frames.series()
      options.series = part.frameSeries.firstIndex { $0.name == name }
    }
    let path = arguments[.output] == "-" ? nil : arguments[.output]
    if let path { warn(of: OutputName(path), form) }
    let summary = try write(part, as: form, options, to: path)
    for notice in summary.notices { Terminal.say("note: \(notice)") }
    return .fine
  }

  /// The threads that were asked for.
  private static func selected(
    _ trace: Trace, _ file: String, _ arguments: Arguments
  ) throws -> Trace {
    guard let threads = ThreadChoice(arguments) else { return trace }
    _ = try threads.tracks(of: trace, file)
    return trace.keeping { threads.contains($0) }
  }

  private static func warn(of name: OutputName, _ form: String) {
    guard let format = name.routedFormat, form != "speedscope" || format != "its own format" else {
      return
    }
    let good = form == "speedscope" ? "game.speedscope.json" : "game.trace.json"
    Terminal.say(
      "note: by its name, speedscope takes the file for \(format) and may not open it; "
        + "a name like \(good) is safe")
  }

  private static func write(
    _ trace: Trace, as form: String, _ options: ExportOptions, to path: String?
  ) throws -> ExportSummary {
    try unsafe OutputFile.write(at: path ?? "-") { sink throws(Complaint) in
      form == "speedscope"
        ? try unsafe SpeedscopeExport(trace, options: options).write(to: sink)
        : try unsafe TraceEventExport(trace, options: options).write(to: sink)
    }
  }
}
