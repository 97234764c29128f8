import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Reads Trace Event JSON from a text.
func read(_ json: String) throws(ImportError) -> Trace {
  try read(Array(json.utf8))
}

/// Reads Trace Event JSON, and checks what every trace must fulfil.
func read(_ bytes: [UInt8]) throws(ImportError) -> Trace {
  let trace = try unsafe bytes.withUnsafeBytes { buffer in
    Result { () throws(ImportError) in try unsafe Trace(traceEvents: buffer) }
  }.get()
  #expect(throws: Never.self) { try trace.checkInvariants() }
  return trace
}

/// Reads a file of the corpus, compressed or not.
func readCorpus(_ name: String) throws -> Trace {
  let file = try MappedFile(path: Corpus.path(name))
  let trace = try Trace(traceEvents: PaddedBytes.unpacking(file))
  try trace.checkInvariants()
  return trace
}

extension Trace {
  /// The spans of a row as `name@start+duration`, in ns, `>` for each span around; `!` unfinished.
  func tree(ofTrack track: Int) -> String {
    let unfinished = Set(spans.unfinished)
    return tracks[track].spans.map { span in
      String(repeating: ">", count: depth(ofSpan: span)) + name(ofSpan: span)
        + "@\(spans.start[span])+\(spans.end[span] - spans.start[span])"
        + (unfinished.contains(span) ? "!" : "")
    }.joined(separator: " ")
  }

  /// The spans of all rows, each with the row's name.
  var tree: String {
    tracks.indices.map { "\(tracks[$0].name): \(tree(ofTrack: $0))" }.joined(separator: " | ")
  }

  /// How often an issue was counted whose text begins like this.
  func count(of issue: String) -> Int {
    issues.filter { $0.text.hasPrefix(issue) }.reduce(0) { $0 + $1.count }
  }
}

/// The tree of the only row of a file with these elements.
func tree(_ elements: String) throws(ImportError) -> String {
  let trace = try read("[\(elements)]")
  #expect(trace.tracks.count == 1)
  return trace.tree(ofTrack: 0)
}
