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
    hand.clusters = [
      ("unknown: (uninstrumented)", [160]), ("pipeline full: (backlog)", [240]),
      ("unknown: (other)", [200]),
    ]
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

  /// The lines of the advice, and whether there is any.
  private func advice(_ hand: BlameByHand) throws -> [Substring] {
    let text = try hand.report().text(width: 200)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("This trace can't tell") }) else {
      return []
    }
    #expect(lines[first].hasSuffix("To know more:"))
    return Array(lines[(first + 1)...].prefix { !$0.isEmpty })
  }

  @Test func whereNoCauseStandsOutThereIsAdviceToo() throws {
    var hand = BlameByHand.everything
    hand.explains = 0
    hand.late = [.init(frame: 20, causes: [(0, 3), (1, 2), (2, 2)])]
    hand.clusters = []
    #expect(
      try advice(hand) == [
        "  - none of the causes stands out above what good frames vary by anyway (7.0 ms late): put spans "
          + "into the largest of them, or record for longer"
      ])
    hand.isSystemic = true
    #expect(try advice(hand).count == 1)
    #expect(
      try advice(hand).first?.hasPrefix(
        "  - hardly a frame is in time, and so none tells what is normal") == true)
    // One sort of cause after the other bears all of a hitch.
    for (index, suspect) in hand.suspects.enumerated() {
      hand.late = [.init(frame: 20, causes: [(index, 3)])]
      #expect(try !advice(hand).isEmpty, "\(suspect.kind)")
    }
  }

  @Test(arguments: [80, 100])
  func causesOfOneNameCanBeToldApart(_ width: Int) throws {
    var hand = BlameByHand.everything
    hand.suspects[0].path = ["Engine::Application::run", "Engine::MainWindow::update"]
    hand.suspects[1].path = ["Engine::Application::run", "Engine::MainLayers::update"]
    hand.suspects[2].thread = nil
    hand.suspects[2].path = ["scroll begins", "layout of all", "parse"]
    hand.suspects[4].path = ["scroll ends", "layout of all", "parse"]
    hand.suspects[4].thread = nil
    let text = try hand.report().text(width: width)
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix(" --") }.dropFirst()
      .prefix { !$0.hasPrefix(" --") }
    let names = rows.map { row in row.split(separator: "  ").last.map { String($0) } ?? "" }
    #expect(names.count == 11)
    #expect(Set(names).count == names.count, "\(names)")
  }

  @Test func oneIsNoPlural() throws {
    var hand = BlameByHand.everything
    hand.suspects[8] = .init(path: ["draw", "tile"], normal: (1, 0.6), late: (2, 1))
    hand.late = [.init(frame: 20, causes: [(8, 3)])]
    let text = try hand.report().text(width: 200)
    #expect(text.contains("`tile` runs 1 time where good frames run it 0.60"), "\(text)")
    #expect(text.contains("1 call (normal 0.60), 1.7x as many"), "\(text)")
  }

  @Test func aLockThatAnotherHasIsCalledSoEverywhere() throws {
    for kind in [Cause.Kind.span, .folded] {
      var hand = BlameByHand.everything
      hand.suspects[4].kind = kind
      hand.late = [.init(frame: 20, causes: [(4, 3)])]
      let text = try hand.report().text(width: 200)
      #expect(text.contains("hitch[lock wait]: `db.save` has the lock for 19.8 ms"), "\(text)")
      #expect(text.contains("  lock wait  "), "\(text)")
    }
  }

  @Test func whatHitchesHaveInCommonIsNamedAsCausesAre() throws {
    var hand = BlameByHand.everything
    let long = "void __cdecl Engine::Tiles::draw(class Scene::View const &,int)"
    hand.suspects[0].path = ["paint", long]
    hand.suspects.append(.init(path: ["tile 12"]))
    hand.suspects.append(.init(path: ["tile 34"]))
    hand.late[2].causes[0].suspect = 11
    hand.late[3].causes[0].suspect = 12
    hand.clusters[1] = ("app late: tile #", [90, 130])
    hand.clusters.remove(at: 2)
    let text = try hand.report().text(width: 80)
    let lines = text.split(separator: "\n").map(String.init).drop { $0 != "Similar hitches" }
    #expect(lines.contains { $0.hasSuffix("  app late: paint > Engine::Tiles::draw") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("  app late: tile …") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("  app late: (blocked) load > wait") }, "\(lines)")
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
    #expect((series["clusters"] as? [[String: Any]])?.count == 7)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    #expect(hitches[8]["hitch_kind"] as? String == "inherited")
    #expect(hitches[8]["root_frame"] as? Int == 280)
    #expect(hitches[8]["cluster"] as? Int == 3)
  }
}
