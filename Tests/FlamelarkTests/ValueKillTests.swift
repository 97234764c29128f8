import FlamelarkTrace
import Foundation
import Testing

/// What a killed program leaves of values, tracks, made names and modules.
@Suite struct ValueKillTests {
  @Test func nothingIsLostAndACopyHasTheSame() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run("killed-with-values", path, environment: ["LEVEL": "12"])
    #expect(run.status == SIGKILL)
    let trace = try Trace(contentsOf: path)
    for packed in [false, true] {
      var bytes: [UInt8] = []
      _ = unsafe try RecordingCopy(of: path).write(packed: packed) { unsafe bytes += $0 }
      try Data(bytes).write(to: URL(fileURLWithPath: folder.file("copy.lark")))
      let copy = try Trace(contentsOf: folder.file("copy.lark"))
      #expect(copy.values == trace.values)
      #expect(copy.modules == trace.modules)
      #expect(copy.deviceClocks == trace.deviceClocks)
      #expect(copy.spans.start == trace.spans.start)
      #expect(copy.spans.end == trace.spans.end)
      #expect(copy.source.properties == trace.source.properties)
    }
    try trace.checkInvariants()
    #expect(trace.source.ending == .killed)
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["level 12"])
    #expect(trace.values.map(\.value).sorted() == Array(-1..<5000))
    #expect(trace.values.filter { trace.name(ofSpan: $0.span) == "level 12" }.map(\.value) == [-1])
    #expect(trace.durations(of: "pass") == Array(repeating: 1000, count: 5000))
    #expect(trace.deviceClocks.map(\.relations) == [1])
    let executable = try #require(trace.source.properties["executable"])
    #expect(executable.hasSuffix("/RecorderProbe"))
    #expect(trace.modules.contains { $0.path == executable && $0.buildID != nil })
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }
}
