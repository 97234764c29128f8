import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Tasks, waits and links in `flamelark info`.
@Suite struct InfoLinksTests {
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("lock a", from: 0, to: .ms(3))
    builder.wait(.lock, resource: 1, endedBy: 1, at: .ms(2))
    builder.span("lock a", from: .ms(4), to: .ms(5))
    builder.wait(.lock, resource: 2)
    builder.track("pool")
    builder.span("vsync", from: .ms(1), to: .ms(9))
    builder.wait(.other, resource: 3, endedBy: 0, at: 0)
    builder.track("GPU", kind: .track)
    builder.span("pass", from: .ms(2), to: .ms(4))
    builder.task("task 4, load", id: 4)
    builder.span("load", from: 0, to: .ms(8))
    builder.hop(from: 0, to: 1)
    builder.task("task 5, load", id: 5)
    builder.span("load", from: .ms(1), to: .ms(2))
    builder.hop(from: 0, to: 0)
    builder.task("a task, save", id: nil)
    builder.span("save", from: .ms(1), to: .ms(2))
    builder.hop(from: nil, to: 0)
    builder.flow("job", from: (.ms(1), 0), to: [(.ms(2), 1), (.ms(3), 0)])
    builder.flow("job", from: (.ms(1), 0), to: [])
    builder.flow("ask", from: nil, to: [(.ms(2), 1)])
    return try builder.build()
  }

  private func lines(_ trace: Trace) -> [String] {
    InfoReport(of: trace, file: "game.lark").text().split(separator: "\n").map(String.init)
  }

  private func section(_ title: String, of lines: [String]) throws -> [String] {
    let heading = try #require(lines.firstIndex(of: title))
    return Array(lines[(heading + 3)...].prefix { $0.hasPrefix(" ") })
  }

  @Test func tasksAreShownByTheirFirstSpan() throws {
    let lines = lines(try trace())
    #expect(
      try section("Tasks", of: lines) == [
        "      2      2          9.0     1  load", "      1      1          1.0     -  save",
      ])
    #expect(try section("Threads", of: lines).count == 2)
    #expect(try section("Tracks", of: lines) == ["      1          2.0      1  GPU"])
  }

  @Test func waitsAreShownByKindAndName() throws {
    #expect(
      try section("Waits", of: lines(try trace())) == [
        "      1       8.0         8.0              0  other  vsync",
        "      2       4.0         3.0              1  lock   lock a",
      ])
  }

  @Test func linksAreShownByName() throws {
    #expect(
      try section("Links", of: lines(try trace())) == [
        "      2     2         0       1  job", "      1     1         1       0  ask",
      ])
  }

  @Test func theJSONHasEachTask() throws {
    let bytes = InfoReport(of: try trace(), file: "game.lark").json()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let tasks = try #require(object["tasks"] as? [[String: Any]])
    #expect(tasks.map { $0["task"] as? Int } == [4, 5, nil])
    #expect(tasks.map { $0["hops"] as? Int } == [1, 0, 0])
    let totals = try #require(object["task_totals"] as? [String: Int])
    #expect(
      totals == [
        "rows": 3, "spans": 3, "hops": 1, "known_hops": 2, "threads": 2, "changes_on_threads": 0,
      ])
    let waits = try #require(object["waits"] as? [[String: Any]])
    #expect(waits.map { $0["kind"] as? String } == ["other", "lock"])
    #expect(waits.map { $0["did_not_block"] as? Int } == [1, 0])
    #expect(waits.map { $0["end_not_known"] as? Int } == [0, 1])
    #expect(waits.map { $0["resources"] as? Int } == [1, 2])
    let links = try #require(object["links"] as? [[String: Any]])
    #expect(links.map { $0["without_begin"] as? Int } == [0, 1])
    #expect(links.map { $0["without_end"] as? Int } == [1, 0])
    let threads = try #require(object["threads"] as? [[String: Any]])
    #expect(threads.map { $0["kind"] as? String } == ["thread", "thread", "track"])
  }

  @Test func thousandsOfRowsTakeFewLines() throws {
    var builder = TraceBuilder()
    for thread in 0..<200 {
      builder.track("worker \(thread)")
      builder.span("work", lasting: 10)
    }
    for task in 0..<20_000 {
      builder.task("task \(task)", id: UInt64(task + 1))
      builder.span("load \(task % 30)", from: Int64(task), to: Int64(task + 5))
      builder.hop(from: task % 200, to: (task + 1) % 200)
    }
    let lines = lines(try builder.build())
    #expect(lines.count < 100)
    #expect(lines.contains { $0.hasSuffix("160 more threads, in the JSON") })
    #expect(lines.contains { $0.hasSuffix("18 more names, in the JSON") })
  }
}
