internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark spans`.
enum SpansCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    var options = SpansReport.Options()
    if try arguments.choice(.grouping, of: ["name", "site"]) == "site" {
      options.statistics.grouping = .site
    }
    let order = try arguments.choice(.sort, of: SpanStatistics.Order.allCases.map(\.rawValue))
    options.order = order.flatMap { SpanStatistics.Order(rawValue: $0) } ?? .own
    // What was typed is checked before a large file is read.
    let (wantsJSON, width, top) = try (arguments.wantsJSON(), arguments.width(), arguments.top())
    _ = try (arguments.moment(.from), arguments.moment(.to), arguments.refresh())

    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    options.statistics.range = try frames.range()
    if let range = options.statistics.range, range.lowerBound > trace.range.upperBound {
      throw frames.tooLate()
    }
    options.statistics.tracks = try ThreadChoice(arguments)?.tracks(of: trace, file)
    let report = SpansReport(of: trace, file: file, options: options)
    try Terminal.print(
      wantsJSON
        ? report.json()
        : Array(report.text(width: width, isColored: Terminal.showsColor, top: top).utf8))
    return .fine
  }
}
