package import FlamelarkAnalysis
package import FlamelarkTrace

extension SpanPath {
  /// The path of a cause, or what stands for it. `loop` is what the loop's own thread is for.
  package init(of cause: Cause, loop: String) {
    self.init(cause.path, of: cause.kind, on: cause.thread, loop: loop)
  }

  /// Where time of a kind was spent: on a thread, nil is the loop's, in a path.
  init(_ path: [String], of kind: Cause.Kind, on thread: String?, loop: String) {
    let prefix = thread.map { PrintableText($0).text + ": " } ?? ""
    switch kind {
    case .span: self.init(path, lead: prefix)
    case .folded: self.init(path, lead: "(\(kind.rawValue)) " + prefix)
    case .uninstrumented:
      self.init(path + ["(\(kind.rawValue))"], lead: prefix)
    case .preempted, .blocked, .queued:
      let kind = "(\(kind.rawValue)) "
      self.init(path.isEmpty ? [thread ?? loop] : path, lead: path.isEmpty ? kind : kind + prefix)
    case .backlog: self.init(["(backlog)"])
    case .other: self.init(["other variation"])
    }
  }
}

extension Trace {
  /// What the thread of a loop is for.
  package func loopRole(of series: FrameSeries) -> String {
    guard let track = series.frames.first?.track, tracks.indices.contains(track) else { return "" }
    return tracks[track].sharedName
  }
}
