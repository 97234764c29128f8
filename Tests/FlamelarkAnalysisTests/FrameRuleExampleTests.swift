import FlamelarkAnalysis
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// The frames that `Documentation/FrameRules.md` works by hand, read from its tables.
@Suite struct FrameRuleExampleTests {
  /// The parts of the document by their headings.
  private let parts: [String: String]

  init() throws {
    let text = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/FrameRules.md"), encoding: .utf8)
    parts = Dictionary(
      uniqueKeysWithValues: text.split(separator: "\n## ").map { part in
        let lines = part.split(separator: "\n", maxSplits: 1)
        return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
      })
  }

  /// The lines of the table of a part whose head begins so.
  private func table(_ head: String..., in part: String) throws -> [[String]] {
    let text = try #require(parts[part], "no part \(part)")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("|")
        ? line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) } : []
    }
    let first = try #require(lines.firstIndex { $0.starts(with: head) }, "\(head)")
    return Array(lines[(first + 2)...].prefix { !$0.isEmpty })
  }

  private func judge(_ series: Trace.FrameSeries) -> JudgedFrames {
    JudgedFrames(of: series, in: Trace())
  }

  private static let marked = "Twelve frames worked by hand"
  private static let shown = "Seven frames of which it is known when they were shown"

  /// The frames of a table, each due 20 ms after its timestamp.
  private func series(of part: String, mode: Trace.FrameSeries.Mode) throws -> Trace.FrameSeries {
    var series = Trace.FrameSeries(name: "loop", mode: mode)
    for (number, row) in try table("frame", "timestamp ms", in: part).enumerated() {
      let timestamp = Int64.ms(try #require(Double(row[1])))
      var frame = Trace.Frame(number: number, timestamp: timestamp, track: 0)
      try #require(row[0] == "\(number)")
      frame.target = timestamp + .ms(20)
      frame.interval = .ms(20)
      frame.end = timestamp + .ms(try #require(Double(row[2])))
      if mode == .presented {
        frame.presented = Double(row[3]).map { .ms($0) }
        frame.isDiscarded = row[3] == "dropped"
      }
      series.frames.append(frame)
    }
    return series
  }

  @Test func theFrameTimesOfTheTableAreThoseBetweenItsTimestamps() throws {
    let rows = try table("frame", "timestamp ms", in: Self.marked)
    #expect(rows.count == 12)
    for (row, next) in zip(rows, rows.dropFirst()) {
      let (from, to) = (try #require(Int(row[1])), try #require(Int(next[1])))
      #expect(Int(row[3]) == to - from)
    }
  }

  @Test(arguments: [marked, shown]) func theFramesCalledBadAreThoseOfTheText(part: String) throws {
    let mode = part == Self.marked ? Trace.FrameSeries.Mode.displayLink : .presented
    let frames = judge(try series(of: part, mode: mode))
    let found = FrameRule.allCases.flatMap { rule in
      rule.apply(to: frames).classes.map { item in
        [
          "`\(rule.rawValue)`", item.name,
          item.frames.isEmpty ? "–" : item.frames.map { "\($0)" }.joined(separator: ", "),
        ]
      }
    }
    #expect(found.count == 8)
    #expect(try table("rule", "called", in: part).map { Array($0.prefix(3)) } == found)
  }

  @Test func theFiguresAreThoseOfTheText() throws {
    let frames = judge(try series(of: Self.marked, mode: .displayLink))
    let found = FrameRule.allCases.flatMap { rule in
      let outcome = rule.apply(to: frames)
      return outcome.figures.map { figure in
        [
          "`\(rule.rawValue)`", "\(outcome.judged)", figure.name,
          String(format: "%.2f", (figure.value ?? .nan) + 1e-9), figure.unit.rawValue,
        ]
      }
    }
    #expect(found.count == 18)
    let rows = try table("rule", "judged", in: Self.marked)
    #expect(rows.map { [$0[0], $0[1], $0[2], $0[4], $0[5]] } == found)
    #expect(rows.allSatisfy { !$0[3].isEmpty })
  }

  @Test func ourOwnRuleSaysOfThemWhatTheTextDoes() throws {
    let frames = judge(try series(of: Self.marked, mode: .displayLink))
    #expect(frames.frames.filter { $0.lateness > 0 }.map(\.number) == [1, 4, 6, 8, 10])
    #expect(frames.hitchTime == .ms(1060))
    #expect(frames.activeTime == .ms(1280))
    let text = try #require(parts[Self.marked])
    #expect(
      text.contains(
        "1060 ms late in 1280 ms, \(String(format: "%.2f", frames.hitchRatio + 1e-9)) ms/s"))
    let shown = judge(try series(of: Self.shown, mode: .presented))
    #expect(shown.frames.filter { $0.lateness > 0 }.map(\.number) == [5])
    #expect(shown.hitchTime == .ms(80))
  }

  @Test func theTextNamesEveryRuleAndTheTimeThatItLooksAt() throws {
    let frames = judge(try series(of: Self.shown, mode: .presented))
    let part = "Which time is a frame's time"
    for row in try table("", "display link, marks", in: part) {
      let name = row[0].replacing("`", with: "")
      let rules = FrameRule.allCases.filter { $0.apply(to: frames).time.rawValue == name }
      #expect(
        Set(row[4].split(separator: ", ").map(String.init))
          == Set(rules.map { "`\($0.rawValue)`" }))
    }
    let heads = try #require(parts["Where a definition leaves a choice"])
    for rule in FrameRule.allCases { #expect(heads.contains("**`\(rule.rawValue)`.** Source: ")) }
  }
}
