internal import FlamelarkInterchange
internal import FlamelarkReport
internal import FlamelarkTrace

/// `flamelark pack` and `flamelark recover`.
enum CopyCommand {
  static func pack(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    let copy = try open(file)
    let path = try output(of: arguments) ?? OutputFile.name(beside: file, "packed.lark")
    let summary = try write(copy, packed: true, to: path)
    let share = Double(summary.bytesWritten) / Double(max(1, summary.bytesRead)) * 100
    Terminal.say(
      "\(path): \(summary.bytesWritten) bytes, \(Int(share.rounded())) % of \(file)"
        + (copy.hasLiveFile ? " with what its killed program left" : ""))
    tell(summary, of: file)
    return .fine
  }

  static func recover(_ arguments: Arguments) throws -> ExitStatus {
    let file = try arguments.file()
    let copy = try open(file)
    guard copy.hasLiveFile else {
      Terminal.say("\(file) needs no recovery: there is no live file of it beside it")
      return .fine
    }
    let path = try output(of: arguments) ?? OutputFile.name(beside: file, "recovered.lark")
    let summary = try write(copy, packed: false, to: path)
    Terminal.say(
      "\(path): \(summary.recoveredRecords) records and \(summary.openSpans) open spans that "
        + "the killed program left are taken in; \(file) and its live file stay as they are")
    tell(summary, of: file)
    return .fine
  }

  /// The name that was given. A trace is packed by itself, and is never read through gzip.
  private static func output(of arguments: Arguments) throws -> String? {
    guard let path = arguments[.output], OutputName(path).isGzip else { return arguments[.output] }
    throw Complaint(
      "\(arguments.verb.rawValue) writes no gzip, but -o is \(quoted(path)); leave out .gz: "
        + "flamelark pack makes a trace small")
  }

  private static func open(_ file: String) throws -> RecordingCopy {
    let copy = try RecordingCopy(of: file)
    if copy.isRunning {
      throw Complaint("\(file) is still being recorded; end its program first")
    }
    return copy
  }

  private static func write(
    _ copy: borrowing RecordingCopy, packed: Bool, to path: String
  ) throws -> RecordingCopy.Summary {
    var output = try OutputFile(at: path == "-" ? nil : path)
    let summary = try unsafe copy.write(packed: packed) { bytes throws(Complaint) in
      try unsafe output.write(bytes)
    }
    try output.finish()
    return summary
  }

  /// What could not be taken over, as reading the file would tell it.
  private static func tell(_ summary: RecordingCopy.Summary, of file: String) {
    for issue in summary.issues {
      let place = issue.offset.map { ", from byte \($0)" } ?? ""
      Terminal.say("note: \(file): \(issue.text): \(issue.count)\(place)")
    }
  }
}
