import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct InfoReportTests {
  /// The run, which left out something else from half a second on.
  private var trace: Trace {
    var trace = GameRun().trace
    trace.source.maximumDepth = 255
    var start = Trace.Filter(time: -1_200_000, maximumDepth: 255, minimumDuration: 0)
    start.exceptions = [.init(subject: .name, text: "leaf\u{1B}[2J", maximumDepth: 4)]
    var later = Trace.Filter(time: .ms(500), maximumDepth: 9, minimumDuration: 20_000)
    later.exceptions = [.init(subject: .category, text: "detail", minimumDuration: .ms(1))]
    trace.source.filters = [start, later]
    return trace
  }

  private func lines(of trace: Trace) -> [String] {
    InfoReport(of: trace, file: "game.lark").text().split(separator: "\n").map(String.init)
  }

  @Test func filtersAreShownWithTheirTime() throws {
    let lines = lines(of: trace)
    #expect(
      lines.contains("  filters     depth at most 255 · no least duration · changed 1 time"),
      "\(lines)")
    let heading = try #require(lines.firstIndex(of: "Filters"))
    #expect(
      Array(lines[(heading + 1)..<(heading + 7)]) == [
        " from s  depth  at least  of",
        " ------  -----  --------  ------------------",
        "  start    255      0 ns  all spans",
        "             4         -  name leaf\\u{1b}[2J",
        "  0.500      9   20.0 µs  all spans",
        "             -    1.0 ms  category detail",
      ])
  }

  @Test func filtersThatNeverChangeTakeOneLine() {
    var trace = trace
    trace.source.filters = [Trace.Filter(time: 0, maximumDepth: 255, minimumDuration: 0)]
    let lines = lines(of: trace)
    #expect(lines.contains("  filters     depth at most 255 · no least duration"), "\(lines)")
    #expect(!lines.contains("Filters"))
  }

  @Test func manyChangesAreCounted() {
    var trace = trace
    trace.source.filters = (0..<1_025).map {
      Trace.Filter(time: Int64($0) * 1_000_000, maximumDepth: 9, minimumDuration: 0)
    }
    let lines = lines(of: trace)
    #expect(lines.filter { $0.hasSuffix("all spans") }.count == 20)
    #expect(lines.contains { $0.hasSuffix("1,005 more changes, in the JSON") })
  }

  @Test func everyMemberIsDocumented() throws {
    var trace = trace
    trace.issues = [Trace.Issue("records skipped", count: 1)]
    trace.counters = [Trace.Counter(name: trace.names.intern("entities"))]
    trace.markers = [Trace.Marker(time: 0, site: CallSiteID(0), track: 0)]
    trace.activities = [Trace.Activity(name: trace.names.intern("scroll"), range: 0..<1)]
    trace.callSites[0].category = trace.names.intern("loop")
    trace.values = [Trace.SpanValue(span: 0, name: trace.names.intern("bytes"), value: 3)]
    trace.deviceClocks = [
      Trace.DeviceClock(track: "GPU", ticksPerSecond: 1000, relations: 2, drift: 0.5)
    ]
    trace.modules = [
      Trace.Module(path: "/bin/game", buildID: "ab12", base: 1 << 40, byteCount: 9, time: -5)
    ]
    // A row of a task, a wait and a link.
    let last = trace.spans.count
    trace.spans.append(start: 0, end: 1, site: CallSiteID(0), parent: Trace.Spans.none)
    trace.tracks.append(
      Trace.Track(kind: .task, name: "t", processID: 1, threadID: 0, spans: last..<last + 1))
    trace.waits = [Trace.Wait(span: last, kind: .lock, resource: 1)]
    trace.flows = [
      Trace.Flow(number: 1, begin: .init(time: 0, track: 0, site: CallSiteID(0)))
    ]
    var withoutFrames = trace
    withoutFrames.frameSeries = []
    var keys: Set<String> = []
    func collect(_ value: Any) {
      if let object = value as? [String: Any] {
        for (key, value) in object where key != "properties" {
          keys.insert(key)
          collect(value)
        }
      }
      if let array = value as? [Any] { array.forEach(collect) }
    }
    for trace in [trace, withoutFrames] {
      collect(
        try JSONSerialization.jsonObject(
          with: Data(InfoReport(of: trace, file: "game.lark").json())))
    }
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/InfoJSON.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(keys.count > 50)
    for key in keys.sorted() {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key) is not documented")
    }
  }

  @Test func theJSONHasThemAll() throws {
    let bytes = InfoReport(of: trace, file: "game.lark").json()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let source = try #require(object["source"] as? [String: Any])
    let filters = try #require(source["filters"] as? [[String: Any]])
    #expect(filters.map { $0["from_ns"] as? Int } == [-1_200_000, 500_000_000])
    #expect(filters.map { $0["maximum_depth"] as? Int } == [255, 9])
    #expect(filters.map { $0["minimum_duration_ns"] as? Int } == [0, 20_000])
    let exceptions = filters.compactMap { $0["exceptions"] as? [[String: Any]] }.joined()
    #expect(exceptions.map { $0["of"] as? String } == ["name", "category"])
    #expect(exceptions.map { $0["text"] as? String } == ["leaf\u{1B}[2J", "detail"])
    #expect(exceptions.map { $0["maximum_depth"] as? Int } == [4, nil])
    #expect(exceptions.map { $0["minimum_duration_ns"] as? Int } == [nil, 1_000_000])
  }
}
