internal import FlamelarkAnalysis
internal import FlamelarkReport

/// `flamelark check`.
enum CheckCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let paths = try arguments.files()
    var limits = CheckReport.Limits()
    limits.hitchRatio = try arguments.limit(.greatestRatio)
    limits.p90 = try arguments.limit(.greatestP90)
    guard limits.hitchRatio != nil || limits.p90 != nil || arguments[.baseline] != nil else {
      throw Complaint(
        "check needs something to hold the runs against: --max-hitch-ratio MS_PER_S, --max-p90 MS_PER_S "
          + "or --baseline DIR")
    }
    let format = try arguments.choice(.format, of: ["text", "json", "junit", "markdown"])
    let width = try arguments.width()
    let files = try RunFiles(arguments)
    let folder = try arguments[.baseline].map { try Folder(at: $0) }
    let runs = try paths.map(files.figures)
    var leftOut: [String] = []
    let compared = try folder.map { folder in
      let baseline = folder.runs(files)
      leftOut = baseline.leftOut
      guard !baseline.runs.isEmpty else { throw folder.hasNone(leftOut) }
      var options = CompareReport.Options()
      options.selection = files.selection
      options.goesOnAnyway = arguments[.anyway] != nil
      let report = CompareReport(
        Comparison(baseline.runs, runs), a: baseline.files, b: paths, options: options)
      try report.checkConditions(arguments)
      return report
    }
    let report = CheckReport(
      runs, files: paths, limits: limits, compared: compared, leftOut: leftOut)
    switch format {
    case "json": try Terminal.print(report.json())
    case "junit": try Terminal.print(report.junit())
    case "markdown": try Terminal.print(Array(report.markdown().utf8))
    default:
      try Terminal.print(Array(report.text(width: width, isColored: Terminal.showsColor).utf8))
    }
    return report.isKept ? .fine : .no
  }
}
