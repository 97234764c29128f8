import FlamelarkAnalysis
import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Values, modules and clocks as the reports show them.
@Suite struct FactReportTests {
  private var trace: Trace {
    var trace = GameRun().trace
    let names = ["bytes", "level"].map { trace.names.intern($0) }
    for span in trace.spans.start.indices where trace.name(ofSpan: span) == "upload" {
      trace.values.append(Trace.SpanValue(span: span, name: names[0], value: 1000))
      trace.values.append(Trace.SpanValue(span: span, name: names[1], value: Int64(span)))
    }
    trace.source.properties["executable"] = "/bin/game"
    trace.modules = [
      Trace.Module(path: "linux-vdso.so.1", buildID: nil, base: 4096, byteCount: 1, time: -5),
      Trace.Module(
        path: "/bin/game", buildID: "ab12", base: 0x7FFF_0000_1000, byteCount: 9, time: -5),
    ]
    trace.deviceClocks = [
      Trace.DeviceClock(track: "GPU", ticksPerSecond: 19_200_000, relations: 2, drift: -12.34),
      Trace.DeviceClock(track: "DSP", ticksPerSecond: 1, relations: 1, drift: nil),
    ]
    for (kind, range) in [
      (Trace.ThreadState.Kind.blocked, 0..<1_000_000), (.blocked, 2_000_000..<4_000_000),
    ] {
      let times = Int64(range.lowerBound)..<Int64(range.upperBound)
      trace.threadStates.append(Trace.ThreadState(track: 0, kind: kind, range: times))
    }
    trace.threadStates[1].wokenBy = 1
    return trace
  }

  @Test func theTextOfInfoTellsOfThem() {
    let lines = InfoReport(of: trace, file: "game.lark").text(width: 120).split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("modules 2 · build-id of the program ab12"), "\(lines)")
    #expect(lines.contains("values 90 values of spans · 2 names"), "\(lines)")
    #expect(
      lines.contains(
        "clock of a device GPU · 19,200,000 a second · 2 relations · drift -12.3 ppm"),
      "\(lines)")
    #expect(
      lines.contains("clock of a device DSP · 1 a second · 1 relation · drift not known"),
      "\(lines)")
    #expect(lines.contains("without processor blocked 2 times, 3.0 ms"), "\(lines)")
  }

  @Test func theJSONOfInfoHasAllModules() throws {
    let json = String(decoding: InfoReport(of: trace, file: "game.lark").json(), as: UTF8.self)
    #expect(
      json.contains(
        #"{"path": "/bin/game", "build_id": "ab12", "base": "0x7fff00001000", "bytes": 9, "seen_ns": -5}"#
      ))
    #expect(json.contains(#"{"path": "linux-vdso.so.1", "build_id": null, "#))
    #expect(json.contains(#"{"name": "level", "count": 45}"#))
    #expect(
      json.contains(
        #"{"kind": "blocked", "count": 2, "total_ns": 3000000, "waker_known": 1, "threads": 1}"#))
    #expect(
      json.contains(#"{"track": "DSP", "ticks_per_second": 1, "relations": 1, "drift_ppm": null}"#))
  }

  @Test func theTextOfSpansHasATableOfValues() throws {
    let text = SpansReport(of: trace, file: "game.lark").text(width: 100)
    let lines = text.split(separator: "\n").map(String.init)
    let heading = try #require(lines.firstIndex(of: "Values"))
    #expect(
      Array(lines[(heading + 1)...(heading + 4)]).map { $0.split(separator: " ") }.map {
        $0.joined(separator: " ")
      } == [
        "count sum mean greatest value span",
        "------ ------ ----- -------- ----- ----------------",
        "45 45,000 1,000 1,000 bytes upload",
        "45 \(levels)",
      ])
  }

  /// Sum, mean and greatest of the levels.
  private var levels: String {
    let all = trace.values.map(\.value).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let sum = all.reduce(0, +)
    let text = "\(sum)"
    let grouped = text.count > 3 ? "\(text.dropLast(3)),\(text.suffix(3))" : text
    let mean = Double(sum) / Double(all.count)
    let tenths = Int((mean * 10).rounded())
    let meanText = "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    return "\(grouped) \(meanText) \(all.max() ?? 0) level upload"
  }

  @Test func theJSONOfSpansHasTheValues() throws {
    var options = SpansReport.Options()
    options.statistics.grouping = .site
    for (options, place) in [
      (SpansReport.Options(), ""), (options, #""file": "Game/Loop.swift", "line": 35, "#),
    ] {
      let json = String(
        decoding: SpansReport(of: trace, file: "game.lark", options: options).json(), as: UTF8.self)
      #expect(
        json.contains(
          #"{"span": "upload", \#(place)"name": "bytes", "count": 45, "sum": 45000, "mean": 1000.0, "least": 1000, "greatest": 1000}"#
        ), "\(json)")
    }
  }
}
