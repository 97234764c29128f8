import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// The examples that `Documentation/Frames.md` works by hand: each table of frames is judged, and the
/// figures have to be those of the table behind it.
@Suite struct FrameFiguresExampleTests {
  /// A part of the document: its tables, each with its head.
  private struct Example {
    var input: [[String: String]]
    var figures: [(name: String, value: String)]
  }

  /// The examples below a heading, in order.
  private func examples(_ heading: String) throws -> [Example] {
    let document = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/Frames.md"), encoding: .utf8)
    let start = try #require(document.range(of: "## \(heading)\n")).upperBound
    let section = document[start...].prefix(
      upTo: document[start...].range(of: "\n## ")?.lowerBound ?? document.endIndex)
    var tables: [[[String]]] = []
    var isOpen = false
    for line in section.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isOpen = false
        continue
      }
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false
      ).map { $0.trimmingCharacters(in: .whitespaces) }
      if !isOpen { tables.append([]) }
      isOpen = true
      if cells[0] != "---" { tables[tables.count - 1].append(cells) }
    }
    var result: [Example] = []
    for table in tables {
      if table[0][0] == "figure" {
        try #require(!result.isEmpty)
        result[result.count - 1].figures += table.dropFirst().map { ($0[0], $0[1]) }
      } else {
        let rows = table.dropFirst().map { row in
          Dictionary(uniqueKeysWithValues: zip(table[0], row))
        }
        result.append(Example(input: rows, figures: []))
      }
    }
    return result
  }

  private func time(_ cell: String?) -> Int64? { cell.flatMap(Double.init).map(Int64.ms) }

  /// The figures of a table whose rows are frames.
  private func figures(ofFrames rows: [[String: String]]) throws -> FrameFigures {
    var builder = TraceBuilder()
    builder.track("main")
    let frames = try rows.map { row in
      var frame = Trace.Frame.displayLink(
        at: try #require(time(row["timestamp"])), target: time(row["target"]),
        begin: time(row["begin"]), end: time(row["end"]))
      frame.presented = time(row["shown"])
      frame.isDiscarded = row["shown"] == "dropped"
      return frame
    }
    builder.frames(
      "example", mode: rows[0]["shown"] == nil ? .displayLink : .presented, frames)
    let trace = try builder.build()
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    for (row, frame) in zip(rows, judged.frames) {
      if let duration = time(row["D"]) { #expect(frame.activeTime == duration) }
      if let lateness = time(row["h"]) { #expect(frame.lateness == lateness) }
    }
    return FrameFigures(of: trace.frameSeries[0], in: trace)
  }

  /// The figures of a table that says how many frames there are of each frame time.
  private func figures(ofFrameTimes rows: [[String: String]]) throws -> FrameFigures {
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    for row in rows {
      for _ in 0..<(try #require(row["frames"].flatMap(Int.init))) {
        marks.append(marks[marks.count - 1] + (try #require(time(row["D"]))))
      }
    }
    builder.marks("example", at: marks, refresh: .ms(16))
    let trace = try builder.build()
    return FrameFigures(of: trace.frameSeries[0], in: trace)
  }

  /// A number as the document writes it: two decimals, and no zeros behind.
  private func text(_ value: Double) -> String {
    var text = String(format: "%.2f", value)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  private func text(_ time: Int64) -> String { text(Double(time) / 1e6) }

  private func text(_ durations: SpanStatistics.Durations?) -> String {
    guard let durations else { return "none" }
    return [durations.median, durations.p90, durations.p99, durations.longest]
      .map { text($0) }.joined(separator: ", ")
  }

  private func ratio(_ value: Double?) -> String { value.map { text($0) + " ms/s" } ?? "none" }

  private func hertz(_ interval: Int64) -> String { text(1e9 / Double(interval)) + " Hz" }

  /// What a figure of the document is here.
  private func value(_ name: String, of figures: FrameFigures) -> String? {
    func low(_ part: Int, _ time: KeyPath<FrameLow, Int64>) -> String? {
      figures.lows.first { $0.perMille == part }.map {
        text(FrameLow.framesPerSecond($0[keyPath: time]))
      }
    }
    let rate = figures.rate
    return switch name {
    case "hitches": "\(figures.hitches.count)"
    case "hitch ratio": ratio(figures.hitchRatio)
    case "lateness p50, p90, p99, max": text(figures.hitches.lateness)
    case "hitches up to 1, 2, 4 intervals, more":
      figures.hitches.byIntervals.map(String.init).joined(separator: ", ")
    case "frozen frames": "\(figures.frozen.count)"
    case "hitch ratio without frozen frames": ratio(figures.frozen.ratioWithout)
    case "missed refreshes": "\(figures.missedRefreshes)"
    case "near misses": figures.nearMisses.map { "\($0.count) of \($0.known)" }
    case "rates":
      figures.refresh.rates.map { "\(hertz($0.interval)) × \($0.frames)" }.joined(separator: ", ")
    case "runs of a rate":
      figures.refresh.runs.map { "\(hertz($0.interval)) from \($0.firstFrame)" }
        .joined(separator: ", ")
    case "changes of rate": "\(figures.refresh.changes)"
    case "frames per second", "mean": rate.mean.map { text($0) }
    case "windows": rate.windows.map { text($0.framesPerSecond) }.joined(separator: ", ")
    case "p50 of the windows": rate.median.map { text($0) }
    case "least of the windows": rate.least.map { text($0) }
    case "left over": "\(rate.leftOver)"
    case "fpsmonitor": figures.fpsMonitor.rates.map(String.init).joined(separator: ", ")
    case "unseen by fpsmonitor": text(figures.fpsMonitor.unseenTime)
    case "longest time unseen": text(figures.fpsMonitor.longestUnseen)
    case "1 % low, time-integral": low(10, \.timeIntegral)
    case "1 % low, percentile": low(10, \.percentile)
    case "0.1 % low, time-integral": low(1, \.timeIntegral)
    case "0.1 % low, percentile": low(1, \.percentile)
    case "compared": figures.pacing.measure.rawValue
    case "pairs": "\(figures.pacing.pairs)"
    case "above the tolerance": "\(figures.pacing.count)"
    case "error p50, p90, p99, max": text(figures.pacing.errors)
    case "worst frame": figures.pacing.worstFrame.map(String.init)
    case "dropped": figures.dropped.map { $0.map(String.init).joined(separator: ", ") }
    case "behind target, not late":
      figures.latency.map { latency in
        "\(latency.frames) frames, \(latency.runs.count) run from frame "
          + "\(latency.longest?.firstFrame ?? -1)"
      }
    case "behind p50, p90, p99, max": text(figures.latency?.behind)
    default: nil
    }
  }

  @Test(arguments: [
    ("A change of rate is no hitch", 1, 4), ("Hitches", 1, 12), ("Pacing", 2, 12),
    ("Latency and dropped frames", 1, 6),
  ])
  func framesHaveTheFiguresOfTheText(_ heading: String, examples count: Int, figures: Int) throws {
    let examples = try examples(heading)
    #expect(examples.count == count)
    #expect(examples.reduce(0) { $0 + $1.figures.count } == figures)
    for example in examples {
      let found = try self.figures(ofFrames: example.input)
      for figure in example.figures {
        #expect(value(figure.name, of: found) == figure.value, "\(heading): \(figure.name)")
      }
    }
  }

  @Test(arguments: [("Frames per second", 8), ("1 % and 0.1 % low", 4)])
  func frameTimesHaveTheFiguresOfTheText(_ heading: String, figures: Int) throws {
    let example = try #require(try examples(heading).first)
    #expect(example.figures.count == figures)
    let found = try self.figures(ofFrameTimes: example.input)
    for figure in example.figures {
      #expect(value(figure.name, of: found) == figure.value, "\(heading): \(figure.name)")
    }
  }

  @Test func partsHaveTheSpreadOfTheText() throws {
    let example = try #require(try examples("Several activities, several sessions").first)
    let parts = try example.input.map { row in
      RatioSpread.Part(
        hitchTime: try #require(time(row["late"])), activeTime: try #require(time(row["active"])))
    }
    let spread = RatioSpread(parts)
    let found = [
      "parts": "\(spread.count)", "p50": ratio(spread.median), "p90": ratio(spread.p90),
      "worst": ratio(spread.worst), "pooled": ratio(spread.pooled.hitchRatio),
    ]
    #expect(Dictionary(uniqueKeysWithValues: example.figures.map { ($0.name, $0.value) }) == found)
    let fewer = RatioSpread(Array(parts.dropLast()))
    #expect(fewer.count == 9)
    #expect(fewer.p90 == nil)
    #expect(fewer.pooled == .init(hitchTime: .ms(83.5), activeTime: .ms(15_000)))
  }
}
