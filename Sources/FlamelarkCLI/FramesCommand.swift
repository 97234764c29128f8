internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark frames`.
enum FramesCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let files = try arguments.files()
    var options = FramesReport.Options()
    options.scale = try arguments.scale()
    options.refresh = try arguments.refresh()
    options.tellsFPSMonitor = try arguments.choice(.compat, of: ["fpsmonitor"]) != nil
    options.rule = try arguments.choice(.rule, of: FrameRule.allCases.map(\.rawValue))
      .flatMap(FrameRule.init)
    // What was typed is checked before large files are read.
    let (wantsJSON, width) = try (arguments.wantsJSON(), arguments.width())
    _ = try (arguments.moment(.from), arguments.moment(.to))
    let picture = arguments[.picture]
    guard picture != "-" else {
      throw Complaint("--svg takes the name of a file: standard output is for the report")
    }
    options.selection.skip = try arguments.skip()

    var sessions: [FramesReport.Session] = []
    for file in files {
      sessions.append(try session(of: file, arguments, &options))
    }
    let report = FramesReport(of: sessions, options: options)
    if let picture { try write(FramesPicture(report), to: picture) }
    try Terminal.print(
      wantsJSON
        ? report.json()
        : Array(report.text(width: width, isColored: Terminal.showsColor).utf8))
    return .fine
  }

  private static func write(_ picture: FramesPicture, to path: String) throws(Complaint) {
    let svg = picture.svg()
    try unsafe OutputFile.write(at: path) { sink throws(Complaint) in
      try unsafe svg.span.bytes.withUnsafeBytes { bytes throws(Complaint) in try unsafe sink(bytes)
      }
    }
    Terminal.say(
      OutputName(path).isGzip
        ? "\(path): unpack it for a browser" : "\(path): open it in a browser")
  }

  /// A file, of which only the figures stay.
  private static func session(
    of file: String, _ arguments: Arguments, _ options: inout FramesReport.Options
  ) throws -> FramesReport.Session {
    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    let series = try frames.series()
    options.selection.range = try frames.range()
    options.selection.activity = try frames.activity()
    let session = FramesReport.Session(
      of: trace, series: series, view: arguments.view(of: file), options: options)
    guard session.frameCount > 0 else { throw frames.none(of: series, options.selection) }
    return session
  }
}
