import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct BlameJSONTests {
  private func json(_ trace: Trace) throws -> [String: Any] {
    let report = BlameReport(of: trace, series: trace.frameSeries, view: SameView(of: "game.lark"))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(report.json())) as? [String: Any])
  }

  @Test func everyMemberIsDocumented() throws {
    var trace = GameRun().trace
    trace.issues = [Trace.Issue("records skipped", count: 1)]
    var filter = Trace.Filter(time: 0, maximumDepth: 255, minimumDuration: 0)
    filter.exceptions = [.init(subject: .name, text: "update")]
    trace.source.filters = [filter]
    trace.frameSeries[0].markedByProgram = [
      Trace.MarkedHitch(frame: 1, time: 17_000_000, reason: trace.names.intern("slow"))
    ]
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
    collect(try json(trace))
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/BlameJSON.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(keys.count > 50)
    for key in keys.sorted() {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key) is not documented")
    }
  }

  @Test func theFiguresAreThoseOfTheRun() throws {
    let report = try json(GameRun().trace)
    #expect(report["schema"] as? String == "flamelark.blame/2")
    #expect(report["zero_unix_ns"] as? Int == 1_764_495_254_123_456_789)
    #expect(report["zero_utc"] as? String == "2025-11-30T09:34:14.123456789Z")
    let series = try #require((report["series"] as? [[String: Any]])?.first)
    #expect(series["name"] as? String == "game")
    #expect(series["mode"] as? String == "marks")
    #expect(series["frames"] as? Int == 40)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    #expect(hitches.map { $0["frame"] as? Int } == [10, 20, 25, 30, 35])
    // 0.5 + 17 + 4.5 ms in frame 10 against 16.666667 ms.
    #expect(hitches.first?["lateness_ns"] as? Int == 22_000_000 - 16_666_667)
    let firsts = hitches.compactMap { ($0["causes"] as? [[String: Any]])?.first }
    #expect(
      firsts.map { $0["path"] as? [String] } == [
        ["update", "physics"], ["update", "physics"], ["draw", "upload"], ["gc"], [],
      ])
    #expect(
      firsts.map { $0["kind"] as? String } == ["span", "span", "span", "span", "uninstrumented"])
    #expect(
      firsts.map { $0["reason"] as? String } == [
        "slower", "slower", "more calls", "new", "uninstrumented",
      ])
    #expect(firsts[0]["file"] as? String == "Game/Loop.swift")
    #expect(firsts[0]["line"] as? Int == 20)
    #expect(firsts[4]["line"] is NSNull)
  }
}
