internal import FlamelarkAnalysis
internal import FlamelarkReport

/// `flamelark compare`.
enum CompareCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let (a, b) = try arguments.twoLists()
    let format = try arguments.choice(.format, of: ["text", "json", "markdown"])
    let (width, top) = try (arguments.width(), arguments.top())
    var options = CompareReport.Options()
    options.scale = try arguments.scale()
    options.goesOnAnyway = arguments[.anyway] != nil
    let files = try RunFiles(arguments)
    options.selection = files.selection
    let comparison = Comparison(try a.map(files.figures), try b.map(files.figures))
    let report = CompareReport(comparison, a: a, b: b, options: options)
    try report.checkConditions(arguments)
    switch format {
    case "json": try Terminal.print(report.json())
    case "markdown": try Terminal.print(Array(report.markdown(top: top).utf8))
    default:
      try Terminal.print(
        Array(report.text(width: width, isColored: Terminal.showsColor, top: top).utf8))
    }
    return .fine
  }
}
