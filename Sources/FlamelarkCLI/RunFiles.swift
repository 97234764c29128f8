internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// Reads traces as runs, one after the other: of each only its figures stay.
struct RunFiles {
  private let arguments: Arguments
  private let refresh: Int64?
  private let skip: FrameSelection.Skip?

  /// Checks what was typed before large files are read.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    refresh = try arguments.refresh()
    skip = try arguments.skip()
    _ = try (arguments.moment(.from), arguments.moment(.to))
  }

  /// Which frames of each run count, but for `--from` and `--to`, whose moments are each run's own.
  var selection: FrameSelection {
    var selection = FrameSelection()
    selection.activity = arguments[.activity]
    selection.skip = skip
    if arguments[.from] != nil || arguments[.to] != nil { selection.range = .min..<(.max) }
    return selection
  }

  /// The figures of a file.
  func figures(of file: String) throws -> RunFigures {
    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    let series = try frames.onlySeries()
    var selection = FrameSelection()
    selection.range = try frames.range()
    selection.activity = try frames.activity()
    selection.skip = skip
    let ranges = selection.ranges(of: series, in: trace, refresh: refresh)
    let run = RunFigures(
      of: trace, series: series, refresh: refresh, ranges: ranges,
      activities: selection.activity == nil ? [] : ranges ?? [])
    guard run.frameCount > 0 else { throw frames.none(of: [series], selection) }
    guard run.activeTime > 0 else {
      throw Complaint(
        "\(PrintableText(file).text) has \(Figure.count(run.frameCount, "frame")) and no time between "
          + "them: no ratio can be told; record longer")
    }
    return run
  }
}

extension CompareReport {
  /// Complains if the sets can't be compared, unless that is wanted.
  func checkConditions(_ arguments: Arguments) throws {
    guard arguments[.anyway] == nil, !refusals.isEmpty else { return }
    throw Complaint(
      "these runs can't be compared: \(refusals.joined(separator: "; ")); record them alike, or give "
        + "--anyway")
  }
}
