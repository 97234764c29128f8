internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark blame`.
enum BlameCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    var options = BlameReport.Options()
    options.scale = try arguments.scale()
    options.refresh = try arguments.refresh()
    // What was typed is checked before a large file is read.
    let (wantsJSON, width, top) = try (arguments.wantsJSON(), arguments.width(), arguments.top())
    let gate = try arguments.gate()
    _ = try (arguments.moment(.from), arguments.moment(.to))
    options.selection.skip = try arguments.skip()

    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    let series = try frames.series()
    options.selection.range = try frames.range()
    options.selection.activity = try frames.activity()
    options.threads = try ThreadChoice(arguments)?.roles(of: trace, file)
    let report = BlameReport(
      of: trace, series: series, view: arguments.view(of: file), options: options)
    guard report.frameCount > 0 else { throw frames.none(of: series, options.selection) }
    try Terminal.print(
      wantsJSON
        ? report.json()
        : Array(report.text(width: width, isColored: Terminal.showsColor, top: top).utf8))
    if let gate, report.hitchRatio > gate { return .no }
    return .fine
  }
}
