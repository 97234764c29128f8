internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark info`.
enum InfoCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    let (wantsJSON, width) = try (arguments.wantsJSON(), arguments.width())
    let trace = try Input.trace(at: file)
    let report = InfoReport(of: trace, file: file)
    try Terminal.print(
      wantsJSON
        ? report.json() : Array(report.text(width: width, isColored: Terminal.showsColor).utf8))
    return .fine
  }
}
