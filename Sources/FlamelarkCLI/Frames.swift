internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// Which frames a command speaks of.
struct Frames {
  let trace: Trace
  let file: String
  let arguments: Arguments

  /// The series that were asked for: at least one, each with frames.
  func series() throws -> [Trace.FrameSeries] {
    let refresh = try arguments.refresh()
    if let name = arguments[.frames] {
      guard arguments[.series] == nil else {
        throw Complaint("--frames makes a series of its own; leave out --series")
      }
      guard let series = trace.frames(named: name, refresh: refresh), !series.frames.isEmpty else {
        throw unknownFrames(name)
      }
      return [series]
    }
    let recorded = trace.frameSeries.filter { !$0.frames.isEmpty }
    if !recorded.isEmpty {
      guard let name = arguments[.series] else { return recorded }
      let chosen = recorded.filter { $0.name == name }
      if chosen.isEmpty { throw unknownSeries(name, among: recorded.map(\.name)) }
      return chosen
    }
    if let name = arguments[.series] {
      throw Complaint(
        "\(fileName) has no frame series \(quoted(name)) and no other; "
          + "name spans or instants as frames with --frames")
    }
    switch trace.chooseFrames() {
    case .series(let series):
      // With --refresh the targets aren't guessed any more.
      return [trace.frames(named: series.name, refresh: refresh) ?? series]
    case .ambiguous(let candidates) where !candidates.isEmpty: throw ambiguous(candidates)
    case .ambiguous, .none: throw noFrames()
    }
  }

  /// The one series that was asked for.
  func onlySeries() throws -> Trace.FrameSeries {
    let all = try series()
    guard all.count == 1, let series = all.first else {
      throw Complaint(
        "\(arguments.verb.rawValue) speaks of one series; give --series NAME, because \(fileName) has "
          + "\(all.count): \(list(all.map(\.name)))")
    }
    return series
  }

  /// The time between `--from` and `--to`, nil if neither is given.
  func range() throws -> Range<Int64>? {
    let from = try arguments.moment(.from)
    let to = try arguments.moment(.to)
    guard from != nil || to != nil else { return nil }
    let lower = try from.map { try time(of: $0, .from) } ?? trace.range.lowerBound
    let upper = try to.map { try time(of: $0, .to) } ?? .max
    guard lower < upper else {
      throw Complaint(
        "--from \(arguments[.from] ?? "the beginning") is not before --to "
          + "\(arguments[.to] ?? "the end"): \(fileName) ends at "
          + "\(Figure.seconds(trace.range.upperBound, decimals: 3))s")
    }
    return lower..<upper
  }

  /// `--activity NAME`: one that the trace has.
  func activity() throws -> String? {
    guard let name = arguments[.activity] else { return nil }
    var known: [String] = []
    for activity in trace.activities {
      let text = trace.names[activity.name]
      if text == name { return name }
      if !known.contains(text) { known.append(text) }
    }
    guard !known.isEmpty else {
      throw Complaint(
        "\(fileName) has no activity \(quoted(name)) and no other; tell of them with "
          + "frames.beginActivity or withActivity, and record again")
    }
    let meant = nearest(to: name, among: known).map { "; did you mean \(quoted($0))?" } ?? ""
    throw Complaint(
      "\(fileName) has no activity \(quoted(name)), it has \(list(known))\(meant)")
  }

  /// What `--from` says when nothing is that late.
  func tooLate() -> Complaint {
    let end = Figure.seconds(trace.range.upperBound, decimals: 3)
    return Complaint("nothing of \(fileName) is that late: it ends at \(end)s")
  }

  /// What to say when none of the frames of some series is in what was asked for.
  func none(of series: [Trace.FrameSeries], _ selection: FrameSelection) -> Complaint {
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
      "no frame of \(fileName) begins \(places.joined(separator: " and ")); its frames begin from "
        + "\(seconds(first))s to \(seconds(last))s"
        + (selection.skip == nil ? "" : ", \(count) of them"))
  }

  private func time(of moment: Moment, _ option: Option) throws -> Int64 {
    switch moment {
    case .time(let time): return time
    case .frame(let number):
      let all = try series()
      guard all.count == 1, let series = all.first else {
        throw Complaint(
          "\(option.rawValue) f\(number) needs --series NAME, because \(fileName) has "
            + "\(all.count) series: \(list(all.map(\.name)))")
      }
      let judged = JudgedFrames(of: series, in: trace, refresh: try arguments.refresh())
      guard let frame = judged.frames.first(where: { $0.number == number }) else {
        throw Complaint(
          "\(option.rawValue) f\(number): series \(quoted(series.name)) of \(fileName) has "
            + "frames 0 to \(series.frames.count - 1)")
      }
      return option == .from ? frame.window.lowerBound : frame.window.upperBound
    }
  }

  private var fileName: String { PrintableText(file).text }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { quoted($0) }.joined(separator: ", ")
    return names.count > 8 ? shown + " and \(names.count - 8) more" : shown
  }

  private func unknownSeries(_ name: String, among known: [String]) -> Complaint {
    let meant = nearest(to: name, among: known).map { "; did you mean \(quoted($0))?" } ?? ""
    return Complaint(
      "\(fileName) has no frame series \(quoted(name)), it has \(list(known))\(meant)")
  }

  private func unknownFrames(_ name: String) -> Complaint {
    if trace.frameSeries.contains(where: { $0.name == name }) {
      return Complaint("\(quoted(name)) is a frame series of \(fileName): give --series instead")
    }
    let candidates = trace.frameCandidates().map(\.name)
    let names = (0..<trace.names.count).prefix(100_000).map { trace.names[NameID(UInt32($0))] }
    let meant = nearest(to: name, among: candidates + names).map { "; did you mean \(quoted($0))?" }
    let known = candidates.isEmpty ? "" : ", most likely frames are \(list(candidates))"
    return Complaint(
      "no span or instant of \(fileName) is named \(quoted(name))\(known)\(meant ?? "")")
  }

  private func noFrames() -> Complaint {
    Complaint(
      "\(fileName) has no frames to judge and nothing that repeats like one; mark each pass of "
        + #"the loop with frames.mark(), where frames = FrameSeries("game", refresh: .hertz(60)), "#
        + "and record again")
  }

  /// The sentence, then what can be chosen: the one error that needs more than a line.
  private func ambiguous(_ candidates: [FrameCandidate]) -> Complaint {
    let command = arguments.command(with: .frames, candidates.first?.name ?? "")
    let table = Table(candidates: candidates.prefix(8))
    let lines = table.lines(width: 100)
    return Complaint(
      "\(fileName) doesn't say what its frames are; name them, for example with\n"
        + "  \(command)\n"
        + lines.joined(separator: "\n"))
  }
}
