import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct BlameTextTests {
  private func report(_ trace: Trace, options: BlameReport.Options = .init()) -> BlameReport {
    BlameReport(of: trace, series: trace.frameSeries, file: "game.lark", options: options)
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

  @Test func theWholeReport() throws {
    try fullTrace.checkInvariants()
    #expect(report(fullTrace).text() == Self.golden)
  }

  private static let golden = #"""
    game.lark · series "game" · mode marks · 673.7 ms · 40 frames · 60 Hz

      CRITICAL   35.13 ms/s hitching        scroll scale: good < 5, critical > 10
      hitches 5 · 23.7 ms late · p50 5.3  p90 6.3  max 6.3 ms · frozen 0 · idle excluded 0.0 s

    Blame                                            23.7 ms late = 100 % = 35.13 ms/s
      #   ms/s  share  top in    normal->hitch  why           cause
     --  -----  -----  ------  ---------------  ------------  --------------------
      1  15.83    45%       2   2.0 -> 16.0 ms  8.0x slower   update > physics
      2   9.40    27%       1     - -> 15.0 ms  new           gc
      3   7.92    22%       1   0.5 -> 14.5 ms  no span       (uninstrumented)
      4   1.98     6%       1   2.0 -> 12.0 ms  6.0x calls    draw > upload
     --  -----  -----
         35.13   100%

    hitch[slower]: `physics` takes 16.0 ms where good frames take 2.0
      --> update > physics                                Game/Loop.swift:20
       |
       |  frame 10 at 0.167 s (09:34:14.290 UTC)   |=========== budget 16.7 ============|~~ late 5.3 ~~|
       |     5.3 ms  update > physics    1 call as usual, 8.0x its cost
       |
       = note: in 2 of 5 hitches, first cause of 2, 10.7 ms late in all
       = help: flamelark export --as speedscope --from f10 --to f10 -o f10.speedscope.json game.lark

    hitch[new]: `gc` takes 15.0 ms and runs in no good frame
      --> gc                                              Game/Loop.swift:40
       |
       |  frame 30 at 0.512 s (09:34:14.635 UTC)   |=========== budget 16.7 ============|~~ late 6.3 ~~|
       |     6.3 ms  gc    in no good frame
       |
       = note: in 1 of 5 hitches, first cause of 1, 6.3 ms late in all
       = help: flamelark export --as speedscope --from f30 --to f30 -o f30.speedscope.json game.lark

    hitch[no span]: 14.5 ms pass outside any span where good frames spend 0.5
      --> (uninstrumented)
       |
       |  frame 35 at 0.602 s (09:34:14.725 UTC)   |=========== budget 16.7 ============|~~ late 5.3 ~~|
       |     5.3 ms  (uninstrumented)    no span, 0.5 -> 14.5 ms
       |
       = note: in 1 of 5 hitches, first cause of 1, 5.3 ms late in all
       = help: put what runs there into spans: withSpan("name") { … }
       = help: flamelark export --as speedscope --from f35 --to f35 -o f35.speedscope.json game.lark

    Worst hitches
      frame   late ms      at s  UTC           explained  main causes
     ------  --------  --------  ------------  ---------  ----------------------
         30       6.3     0.512  09:34:14.635      100 %  gc 100 %
         10       5.3     0.167  09:34:14.290      100 %  update > physics 100 %
         20       5.3     0.339  09:34:14.462      100 %  update > physics 100 %
         35       5.3     0.602  09:34:14.725        0 %  (uninstrumented) 100 %
         25       1.3     0.427  09:34:14.550      100 %  draw > upload 100 %

    Marked by the program  (they change no figure)
      frame   late ms      at s  reason
     ------  --------  --------  ----------------------
         12       0.0     0.201  enemy\u{1b}[31m jumped

    Checks   blame adds up to lateness in 5 of 5 hitches · normal from 19 good frames at 60 Hz
             targets estimated 0 · marked while recording 2 hitches, found 1
             1 frame cut off, not judged

    Not measured
      - the work of other threads: where a frame waits for one, the span that waits is blamed
      - when frames were shown: a frame counts as late when the program was late with it
      - 1,234 spans below the greatest depth of 2: their time is in the span above
      - 56 spans shorter than 50.0 µs, 1.7 ms: their time is in the span above
      - 2 spans that ended out of order or on another thread: on rows of their own, not blamed
      - 1 record that could not be written
      - chunks with a wrong checksum skipped: 3

    """#

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
    #expect(text.contains("  --> gc > mark > (short calls)\n"))
    #expect(text.contains("each call was below the least duration; the trace has their sum"))
    #expect(text.contains("100 %  gc > mark > (short calls) 93 %"))
    #expect(
      text.contains(
        "56 spans shorter than 50.0 µs, 1.7 ms: summed up where they ran, as (short calls)"))
    #expect(!text.contains("left to the spans around them"))
    trace.folded[0].selfTime = .ms(17)
    text = report(trace).text()
    #expect(text.contains("2.0 ms of short calls that begin in one frame and end in another: left"))
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
    #expect(report.text().contains("--from f10 --to f10 --series game"))
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
