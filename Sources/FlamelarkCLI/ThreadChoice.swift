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

  /// What the rows that are asked for are for, as causes name it: at least one.
  func roles(of trace: Trace, _ file: String) throws -> Set<String> {
    let byRole = trace.tracks.filter { $0.sharedName == name }
    let found = byRole.isEmpty ? trace.tracks.filter { contains($0) } : byRole
    if found.isEmpty { throw unknown(in: trace, file) }
    return Set(found.map(\.sharedName))
  }

  private func unknown(in trace: Trace, _ file: String) -> Complaint {
    let names = trace.tracks.map(\.name) + trace.tracks.map(\.sharedName)
    let meant = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" }
    return Complaint(
      "\(file) has no thread \(quoted(name))\(meant ?? "; flamelark info lists them")")
  }
}
