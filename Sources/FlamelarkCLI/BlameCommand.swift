internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark blame`.
enum BlameCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    var options = BlameReport.Options()
    options.scale = try arguments.scale()
    options.refresh = try arguments.refresh()
    options.frames = arguments[.frames]
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
    let report = BlameReport(of: trace, series: series, file: file, options: options)
    guard report.frameCount > 0 else { throw noFrames(options.selection, of: series, file) }
    try Terminal.print(
      wantsJSON
        ? report.json()
        : Array(report.text(width: width, isColored: Terminal.showsColor, top: top).utf8))
    if let gate, report.hitchRatio > gate { return .no }
    return .fine
  }

  private static func noFrames(
    _ selection: FrameSelection, of series: [Trace.FrameSeries], _ file: String
  ) -> Complaint {
    func seconds(_ time: Int64?) -> String { time.map { Figure.seconds($0, decimals: 3) } ?? "?" }
    let first = series.compactMap { $0.frames.first?.timestamp }.min()
    let last = series.compactMap { $0.frames.last?.timestamp }.max()
    var places: [String] = []
    if let range = selection.range {
      places.append(
        "from \(seconds(range.lowerBound))s "
          + (range.upperBound == .max ? "on" : "to \(seconds(range.upperBound))s"))
    }
    if let activity = selection.activity { places.append("within \(quoted(activity))") }
    if selection.skip != nil { places.append("behind what --skip leaves out") }
    let count = series.map(\.frames.count).max() ?? 0
    return Complaint(
      "no frame of \(file) begins \(places.joined(separator: " and ")); its frames begin from "
        + "\(seconds(first))s to \(seconds(last))s"
        + (selection.skip == nil ? "" : ", \(count) of them"))
  }
}
