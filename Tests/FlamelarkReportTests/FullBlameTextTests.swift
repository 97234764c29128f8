import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

/// Reports with everything that a blame can tell.
@Suite struct FullBlameTextTests {
  @Test(arguments: [80, 100])
  func theWholeReport(_ width: Int) throws {
    try Golden.expect(
      try BlameByHand.everything.report().text(width: width), is: "blame-\(width).txt")
  }

  /// A hitch of 14 ms outside of spans and one that nothing stands out in.
  private var unexplained: BlameByHand {
    var hand = BlameByHand.everything
    hand.suspects[3].interval = nil
    hand.suspects = hand.suspects.map {
      var suspect = $0
      (suspect.interval, suspect.ifNormal) = (nil, nil)
      return suspect
    }
    hand.late = [
      .init(frame: 160, kind: .unknown, causes: [(3, 14.4)]),
      .init(frame: 200, kind: .unknown, causes: [(10, 4)]),
      .init(frame: 240, kind: .pipelineFull, causes: [(9, 3), (6, 2)]),
    ]
    hand.clusters = [("unknown", [160, 200]), ("pipeline full", [240])]
    hand.ifFirstThreeNormal = nil
    hand.goodFrames = 12
    return hand
  }

  @Test(arguments: [80, 100])
  func whatTheTraceCannotTellIsSaid(_ width: Int) throws {
    let report = try unexplained.report()
    try Golden.expect(report.text(width: width), is: "declining-\(width).txt")
    #expect(report.series[0].declines)
    #expect(try !BlameByHand.everything.report().series[0].declines)
  }

  @Test(arguments: [80, 100, 140])
  func noLineIsWiderThanAsked(_ width: Int) throws {
    var hand = BlameByHand.everything
    for index in hand.suspects.indices {
      hand.suspects[index].path = hand.suspects[index].path.map {
        $0 + String(repeating: " 描画 a", count: 30)
      }
      if hand.suspects[index].thread != nil {
        hand.suspects[index].thread = String(repeating: "描画 b", count: 30)
      }
    }
    for cluster in hand.clusters.indices {
      hand.clusters[cluster].signature += hand.suspects[0].path[0]
    }
    let text = try hand.report().text(width: width)
    for line in text.split(separator: "\n") {
      #expect(columns(of: String(line)) <= width, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(
    arguments: [0, 1, 4, 100], [nil, ["main"], ["worker", "db"], ["nobody"]] as [Set<String>?])
  func theShownLinesAddUp(_ top: Int, _ threads: Set<String>?) throws {
    var options = BlameReport.Options()
    options.threads = threads
    let text = try BlameByHand.everything.report(options).text(top: top)
    let rows = text.matches(of: /\n +(?:\d+)? +(\d+)\.(\d\d) +(\d+)%/).compactMap { row in
      Int(row.1 + row.2).flatMap { ratio in Int(row.3).map { (ratio: ratio, percent: $0) } }
    }
    let total = try #require(rows.last)
    #expect(rows.count > 1)
    #expect(rows.dropLast().reduce(0) { $0 + $1.ratio } == total.ratio)
    #expect(rows.dropLast().reduce(0) { $0 + $1.percent } == 100)
    #expect(total.percent == 100)
    if threads == ["worker", "db"] {
      #expect(!text.contains("(preempted) main\n"))
      #expect(text.contains("7 causes elsewhere\n"))
    }
  }

  @Test func theJSONHasWhatTheTextHas() throws {
    let report = try BlameByHand.everything.report()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json())) as? [String: Any])
    let series = try #require((json["series"] as? [[String: Any]])?.first)
    let causes = try #require(series["causes"] as? [[String: Any]])
    #expect(causes[0]["blame_low_ns"] as? Int == 30_000_000)
    #expect(causes[0]["blame_high_ns"] as? Int == 72_000_000)
    #expect(causes[0]["p_first"] as? Double == 0.54)
    #expect(causes[0]["if_normal_ms_per_s"] as? Double == 23.11)
    #expect(causes[0]["thread"] is NSNull)
    #expect(causes[2]["thread"] as? String == "worker")
    #expect(causes[2]["link"] as? String == "await")
    #expect(causes[3]["p_first"] is NSNull)
    let gap = causes.first { $0["kind"] as? String == "uninstrumented" }?["gap"]
    #expect(gap as? [String: String] == ["after": "update", "before": "draw"])
    #expect(series["confidence_hitches"] as? Int == 11)
    #expect(series["if_first_three_normal_ms_per_s"] as? Double == 9.7)
    #expect((series["clusters"] as? [[String: Any]])?.count == 6)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    #expect(hitches[8]["hitch_kind"] as? String == "inherited")
    #expect(hitches[8]["root_frame"] as? Int == 280)
    #expect(hitches[8]["cluster"] as? Int == 3)
  }
}
