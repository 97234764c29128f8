import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct BlameTextTests {
  private func report(_ trace: Trace, options: BlameReport.Options = .init()) -> BlameReport {
    BlameReport(
      of: trace, series: trace.frameSeries, view: SameView(of: "game.lark"), options: options)
  }

  /// A run with everything that a report can speak of.
  private var fullTrace: Trace {
    var trace = GameRun().trace
    trace.source.maximumDepth = 2
    trace.source.minimumDuration = 50_000
    trace.tracks[0].counts.overDepth = 1_234
    trace.tracks[0].counts.belowMinimum = 56
    trace.tracks[0].counts.belowMinimumTime = 1_700_000
    trace.tracks[0].counts.detached = 2
    trace.tracks[0].counts.lost = 1
    trace.issues = [Trace.Issue("chunks with a wrong checksum skipped", count: 3, offset: 4096)]
    trace.frameSeries[0].markedByRecorder = [
      Trace.RecordedHitch(frame: 10, lateness: 5_333_333),
      Trace.RecordedHitch(frame: 20, lateness: 1),
    ]
    trace.frameSeries[0].markedByProgram = [
      Trace.MarkedHitch(
        frame: 12, time: 201_000_000, reason: trace.names.intern("enemy\u{1B}[31m jumped"))
    ]
    return trace
  }

  @Test(arguments: [80, 100])
  func theWholeReport(_ width: Int) throws {
    try fullTrace.checkInvariants()
    try Golden.expect(report(fullTrace).text(width: width), is: "game-\(width).txt")
  }

  @Test func shortCallsThatWereLeftOutAreToldOf() {
    var trace = fullTrace
    // Frame 30: 14 ms of what `gc` takes are 7,000 calls that were left out.
    let gc = trace.spans.start.indices.first { trace.name(ofSpan: $0) == "gc" } ?? 0
    let start = trace.spans.start[gc]
    trace.callSites.append(Trace.CallSite(name: trace.names.intern("mark")))
    trace.folded = [
      Trace.FoldedSpans(
        reason: .belowMinimum, track: 0, parent: UInt32(gc),
        site: CallSiteID(UInt32(trace.callSites.count - 1)), range: start..<start + .ms(15),
        count: 7_000, total: .ms(14), selfTime: .ms(14), longest: 40_000)
    ]
    var text = report(trace).text()
    #expect(text.contains("hitch[new]: `mark` takes 14.0 ms and runs in no good frame"))
    #expect(text.contains("  --> (folded) gc > mark\n"))
    #expect(text.contains("each call was below the least duration; the trace has their sum"))
    #expect(text.contains("(folded) gc > mark 93 %"))
    #expect(
      text.contains(
        "56 spans shorter than 50.0 µs, 1.7 ms: summed up where they ran, as (folded)"))
    #expect(!text.contains("left to the spans around them"))
    trace.folded[0].selfTime = .ms(17)
    text = report(trace).text()
    #expect(
      text.contains("2.0 ms of folded calls that begin in one frame and end in another: left"))
  }

  @Test(arguments: [80, 100, 140])
  func noLineIsWiderThanAsked(_ width: Int) {
    var trace = fullTrace
    // Names of any length and width.
    trace.names = NameTable()
    for (index, name) in GameRun.lines.keys.sorted().enumerated() {
      _ = trace.names.intern(String(repeating: index % 2 == 0 ? "描画" : "a b", count: 40) + name)
    }
    while trace.names.count < fullTrace.names.count {
      _ = trace.names.intern("\(trace.names.count)")
    }
    trace.frameSeries[0].name = String(repeating: "game ", count: 40)
    for top in [0, 1, 100] {
      for line in report(trace).text(width: width, top: top).split(separator: "\n") {
        #expect(columns(of: String(line)) <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func theShownLinesAddUp() throws {
    for top in 0...5 {
      let text = report(fullTrace).text(top: top)
      let rows = text.matches(of: /\n +(?:\d+)? +(\d+)\.(\d\d) +(\d+)%/).compactMap { row in
        Int(row.1 + row.2).flatMap { ratio in Int(row.3).map { (ratio: ratio, percent: $0) } }
      }
      let total = try #require(rows.last)
      #expect(rows.dropLast().reduce(0) { $0 + $1.ratio } == total.ratio)
      #expect(rows.dropLast().reduce(0) { $0 + $1.percent } == 100)
      #expect(total.percent == 100)
      #expect(text.contains("CRITICAL   \(Figure.decimal(Int64(total.ratio), decimals: 2)) ms/s"))
    }
  }

  @Test func colourSaysNothingOfItsOwn() {
    let plain = report(fullTrace).text()
    let colored = report(fullTrace).text(isColored: true)
    #expect(colored != plain)
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func aRunInTimeIsGood() {
    var trace = GameRun().trace
    for frame in trace.frameSeries[0].frames.indices {
      trace.frameSeries[0].frames[frame].target =
        trace.frameSeries[0].frames[frame].timestamp + 50_000_000
    }
    var options = BlameReport.Options()
    options.refresh = 50_000_000
    let report = report(trace, options: options)
    let lines = report.text().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[2] == "  GOOD 0.00 ms/s, no hitches in 673.7 ms")
    #expect(report.hitchRatio == 0)
    #expect(!report.text().contains("Blame "))
  }

  @Test func theWorstOfSeveralSeriesIsTheVerdict() throws {
    var trace = GameRun().trace
    var calm = trace.frameSeries[0]
    calm.name = "audio"
    calm.mode = .displayLink
    for frame in calm.frames.indices {
      calm.frames[frame].target = calm.frames[frame].timestamp + 50_000_000
    }
    trace.frameSeries.insert(calm, at: 0)
    let report = report(trace)
    let lines = report.text().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "game.lark · 2 frame series")
    #expect(lines[2].hasPrefix("  CRITICAL   35.13 ms/s in the worst series, \"game\""))
    #expect(report.text().contains("flamelark hitch --series game game.lark 10"))
    #expect(abs(report.hitchRatio - 35.13) < 0.01)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(report.json())) as? [String: Any])
    #expect(
      (json["series"] as? [[String: Any]])?.map { $0["name"] as? String } == ["audio", "game"])
    #expect((json["verdict"] as? [String: Any])?["series"] as? String == "game")
  }

  @Test func theScaleGivesTheBand() {
    let bands: [(HitchScale, Double, HitchScale.Band)] = [
      (.scroll, 0, .good), (.scroll, 4.99, .good), (.scroll, 5, .warning), (.scroll, 10, .warning),
      (.scroll, 10.01, .critical), (.hitches, 10, .good), (.hitches, 25, .warning),
      (.hitches, 50, .critical), (.hitches, 50.01, .immediate),
    ]
    for (scale, ratio, band) in bands { #expect(scale.band(of: ratio) == band) }
    var options = BlameReport.Options()
    options.scale = .hitches
    #expect(report(fullTrace, options: options).text().contains("hitches scale: good <= 10"))
  }
}
