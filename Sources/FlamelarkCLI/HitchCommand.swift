internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark hitch`.
enum HitchCommand {
  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let (file, number) = try operands(arguments)
    var options = Blame.Options()
    options.refresh = try arguments.refresh()
    let (wantsJSON, width) = try (arguments.wantsJSON(), arguments.width())
    let showsAll = arguments[.all] != nil

    let trace = try Input.trace(at: file)
    let frames = Frames(trace: trace, file: file, arguments: arguments)
    let blame = Blame(of: trace, series: try frames.onlySeries(), options: options)
    guard let hitch = blame.hitches.first(where: { $0.frame.number == number }) else {
      throw noHitch(number, in: blame, file)
    }
    let report = HitchReport(
      of: hitch, in: blame, trace: trace, steps: blame.steps(of: hitch, in: trace),
      view: arguments.view(of: file))
    try Terminal.print(
      wantsJSON
        ? report.json()
        : Array(
          report.text(width: width, isColored: Terminal.showsColor, showsAll: showsAll).utf8))
    return .fine
  }

  /// The file and the number of the frame, also as `f304` and `frame 304`.
  private static func operands(_ arguments: Arguments) throws -> (file: String, number: Int) {
    var words = arguments.operands
    if words.count == 3, words[1] == "frame" { words.remove(at: 1) }
    guard words.count == 2 else {
      throw Complaint("hitch needs a file and the number of a frame: \(arguments.verb.usage)")
    }
    let digits = words[1].hasPrefix("f") ? words[1].dropFirst() : words[1][...]
    guard let number = Int(digits), number >= 0, digits.first != "+" else {
      throw Complaint("hitch takes the number of a frame like 304, but is \(quoted(words[1]))")
    }
    return (words[0], number)
  }

  private static func noHitch(_ number: Int, in blame: Blame, _ file: String) -> Complaint {
    let judged = blame.frames.frames
    let series = "series \(quoted(blame.frames.series.name)) of \(file)"
    let known = blame.hitches.map(\.frame.number)
    let near = [known.last { $0 < number }, known.first { $0 > number }].compactMap { $0 }
    let nearest =
      near.isEmpty
      ? "; it has no hitch"
      : "; the nearest \(near.count == 1 ? "hitch is frame" : "hitches are frames") "
        + near.map(String.init).joined(separator: " and ")
    guard let frame = judged.first(where: { $0.number == number }) else {
      return Complaint(
        "\(series) has frames 0 to \(blame.frames.series.frames.count - 1), not \(number)\(nearest)"
      )
    }
    let why =
      !frame.isCountable
      ? "no lateness can be told of it" : frame.isIdle ? "the loop rested" : "it was in time"
    return Complaint("frame \(number) of \(series) is no hitch, \(why)\(nearest)")
  }
}
