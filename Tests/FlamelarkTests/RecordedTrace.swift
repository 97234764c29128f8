import Flamelark
import FlamelarkTrace
import Foundation
import _FlamelarkTestSupport

/// A folder that is gone after the test.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/flamelark-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A file in it.
  func file(_ name: String) -> String { path + "/" + name }
}

/// Records what `body` does and reads it back.
func record(
  _ options: Recording.Options = .init(), _ body: () throws -> Void
) throws -> Trace {
  try record(options) { _ in try body() }
}

/// The same, for what is done with the recording while it runs.
func record(
  _ options: Recording.Options = .init(), _ body: (Recording) throws -> Void
) throws -> Trace {
  let folder = TemporaryFolder()
  let path = folder.file("test.lark")
  try OneRecording.alone {
    let recording = try Recording.start(writingTo: path, options: options)
    try body(recording)
    try recording.stop()
  }
  let trace = try Trace(contentsOf: path)
  try trace.checkInvariants()
  return trace
}

extension Trace {
  /// The spans of a row as `name(child child)`, in the order of time.
  func outline(ofTrack index: Int) -> String {
    var result = ""
    var open: [UInt32] = []
    for span in tracks[index].spans {
      while let last = open.last, last != spans.parent[span] {
        result += ")"
        open.removeLast()
      }
      if !result.isEmpty, result.last != "(" { result += " " }
      result += name(ofSpan: span)
      let hasChildren = span + 1 < spans.count && spans.parent[span + 1] == UInt32(span)
      if hasChildren {
        result += "("
        open.append(UInt32(span))
      }
    }
    return result + String(repeating: ")", count: open.count)
  }

  /// The row of the thread that recorded: the one with spans.
  var threadRows: [Int] {
    tracks.indices.filter { tracks[$0].kind == .thread && !tracks[$0].spans.isEmpty }
  }

  /// How long the spans of a name took, in nanoseconds.
  func durations(of name: String) -> [Int64] {
    (0..<spans.count).filter { self.name(ofSpan: $0) == name }.map {
      spans.end[$0] - spans.start[$0]
    }
  }
}
