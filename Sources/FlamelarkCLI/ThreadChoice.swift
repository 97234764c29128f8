internal import FlamelarkReport
internal import FlamelarkTrace

/// The rows that `--thread` names.
struct ThreadChoice {
  private let name: String

  /// nil if all rows are asked for.
  init?(_ arguments: Arguments) {
    guard let name = arguments[.thread] else { return nil }
    self.name = name
  }

  /// Whether a row is asked for: by its name, or with all lanes by its thread's id.
  func contains(_ track: Trace.Track) -> Bool {
    track.name == name || String(track.threadID) == name
  }

  /// The indices of the rows that are asked for: at least one.
  func tracks(of trace: Trace, _ file: String) throws -> Set<Int> {
    let found = trace.tracks.indices.filter { contains(trace.tracks[$0]) }
    if found.isEmpty { throw unknown(in: trace, file) }
    return Set(found)
  }

  private func unknown(in trace: Trace, _ file: String) -> Complaint {
    let names = trace.tracks.map(\.name)
    let meant = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" }
    return Complaint(
      "\(file) has no thread \(quoted(name))\(meant ?? "; flamelark info lists them")")
  }
}
