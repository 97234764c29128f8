import FlamelarkAnalysis
import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct SpansReportTests {
  /// The run, of which `physics` calls something short 7,000 times in frame 10.
  private var trace: Trace {
    var trace = GameRun().trace
    let physics = trace.spans.start.indices.filter { trace.name(ofSpan: $0) == "physics" }[10]
    let start = trace.spans.start[physics]
    trace.callSites.append(
      Trace.CallSite(
        name: trace.names.intern("collide"), file: trace.names.intern("Game/World.swift"), line: 7))
    trace.folded = [
      Trace.FoldedSpans(
        reason: .belowMinimum, track: 0, parent: UInt32(physics),
        site: CallSiteID(UInt32(trace.callSites.count - 1)), range: start..<start + .ms(15),
        count: 7_000, total: .ms(14), selfTime: .ms(14), longest: 40_000),
      Trace.FoldedSpans(
        reason: .overDepth, track: 0, parent: UInt32(physics), site: CallSiteID(0),
        range: start..<start, count: 12, total: 0, selfTime: 0, longest: 0),
    ]
    trace.spans.unfinished = [trace.spans.count - 1]
    return trace
  }

  @Test func theWholeReport() throws {
    try trace.checkInvariants()
    #expect(SpansReport(of: trace, file: "game.lark").text(width: 120) == Self.golden)
  }

  private static let golden = #"""
    game.lark · 690.3 ms · thread "main" · 201 spans · 7,000 folded

    Hot spans                                                    busy 656.3 ms = 100 %
      self ms  share   count  total ms      p50      p90      p99      max  folded  their ms  span
     --------  -----  ------  --------  -------  -------  -------  -------  ------  --------  ----------------
        303.3    46%      35     303.3   8.7 ms   8.7 ms   8.7 ms   8.7 ms       -         -  wait
        100.0    15%      40     190.0   4.5 ms   4.5 ms  14.5 ms  14.5 ms       -         -  draw
         94.0    15%      40     108.0   2.0 ms   2.0 ms  16.0 ms  16.0 ms       -         -  physics
         90.0    14%      45      90.0   2.0 ms   2.0 ms   2.0 ms   2.0 ms       -         -  upload
         40.0     6%      40     148.0   3.0 ms   3.0 ms  17.0 ms  17.0 ms       -         -  update
         15.0     2%       1      15.0  15.0 ms  15.0 ms  15.0 ms  15.0 ms       -         -  gc
         14.0     2%       0         -        -        -        -  40.0 µs   7,000      14.0  collide

      - folded: calls below the least duration, summed up while recording; their time is in self ms, they are not in count
        and percentiles
      - 12 spans over the greatest depth: their time is in the span above
      - 1 span that had not ended when the recording did: counted, not in percentiles and max

    """#

  @Test func theShownLinesAddUp() throws {
    for top in 0...8 {
      let text = SpansReport(of: trace, file: "game.lark").text(top: top)
      let rows = text.matches(of: /\n +(\d+)\.(\d) +(\d+)%/).compactMap { row in
        Int(row.1 + row.2).flatMap { own in Int(row.3).map { (own: own, percent: $0) } }
      }
      #expect(rows.reduce(0) { $0 + $1.percent } == 100)
      let busy = try #require(text.firstMatch(of: /busy (\d+)\.(\d) ms = 100 %/))
      let own = rows.reduce(0) { $0 + $1.own }
      // Each line is rounded for itself.
      #expect(abs(own - (Int(busy.1 + busy.2) ?? 0)) <= rows.count)
      #expect(text.contains("more\n") == (top < 7))
    }
  }

  @Test(arguments: [80, 100, 140])
  func noLineIsWiderThanAsked(_ width: Int) {
    var long = trace
    long.names = NameTable()
    while long.names.count < trace.names.count {
      _ = long.names.intern(String(repeating: "描画 a", count: 30) + "\(long.names.count)")
    }
    long.tracks[0].name = String(repeating: "main ", count: 40)
    var options = SpansReport.Options()
    for grouping in [SpanStatistics.Grouping.name, .site] {
      options.statistics.grouping = grouping
      let text = SpansReport(of: long, file: "game.lark", options: options).text(width: width)
      for line in text.split(separator: "\n") {
        #expect(columns(of: String(line)) <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func aTraceWithoutSpansSaysSo() {
    var empty = Trace()
    empty.tracks = [Trace.Track(kind: .thread, name: "main", processID: 1, threadID: 1)]
    #expect(
      SpansReport(of: empty, file: "a").text()
        == "a · 0 ns · thread \"main\" · 0 spans\n\nNo spans.\n")
  }

  @Test func everyMemberOfTheJSONIsDocumented() throws {
    var options = SpansReport.Options()
    options.statistics.grouping = .site
    var trace = trace
    trace.issues = [Trace.Issue("records skipped", count: 1)]
    var filter = Trace.Filter(time: 0, maximumDepth: 255, minimumDuration: 0)
    filter.exceptions = [.init(subject: .name, text: "update")]
    trace.source.filters = [filter]
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(SpansReport(of: trace, file: "game.lark", options: options).json()))
        as? [String: Any])
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
    collect(json)
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/SpansJSON.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(keys.count > 30)
    for key in keys.sorted() {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key) is not documented")
    }
    let spans = try #require(json["spans"] as? [[String: Any]])
    let own = spans.compactMap { span in
      (span["self_ns"] as? Int).flatMap { own in (span["folded_ns"] as? Int).map { own + $0 } }
    }
    #expect(own.count == 7)
    #expect(own == own.sorted(by: >))
    #expect(own.reduce(0, +) == json["busy_ns"] as? Int)
  }
}
