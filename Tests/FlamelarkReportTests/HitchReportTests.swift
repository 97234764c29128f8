import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

/// The report of one hitch.
@Suite struct HitchReportTests {
  /// The frame 130 waits for a worker, which waits for a lock that the thread before it has.
  func report(
    steps: [CriticalStep]? = nil, view: SameView = SameView(of: "feed.lark")
  ) throws -> HitchReport {
    let hand = BlameByHand.everything
    let blame = try hand.report()
    let hitch = try #require(blame.series[0].hitches.first { $0.frame.number == 130 })
    return HitchReport(
      of: hitch, series: blame.series[0].frames.series,
      alike: LikeHitches(
        HitchCluster(
          signature: "app late: worker: prefetch.parse", frames: [130, 133], lateness: .ms(41.2)),
        of: blame.series[0].hitches),
      trace: blame.trace, steps: steps ?? Self.steps(of: hitch), view: view)
  }

  private static func steps(of hitch: Hitch) -> [CriticalStep] {
    var time = hitch.window.lowerBound
    func step(
      _ ms: Double?, _ kind: Cause.Kind, _ path: [String], track: Int = 0, hops: Int = 0,
      link: CriticalLink? = nil, of frame: Int? = nil
    ) -> CriticalStep {
      let end = ms.map { time + .ms($0) } ?? hitch.window.upperBound
      defer { time = end }
      return CriticalStep(
        range: time..<end, track: track, kind: kind, path: path, hops: hops, link: link,
        earlierFrame: frame)
    }
    return [
      step(2.5, .span, ["render"], of: 129), step(0.25, .uninstrumented, []),
      step(3, .span, ["update"]), step(1, .folded, ["update", "mark"]),
      step(9, .span, ["prefetch.parse"], track: 1, hops: 1, link: .await),
      step(4, .span, ["txn", "db.save"], track: 0, hops: 2, link: .lock),
      step(8, .preempted, ["prefetch.parse"], track: 1, hops: 1, link: .await),
      step(1, .queued, ["prefetch.parse"], track: 1, hops: 1, link: .await),
      step(5, .span, ["draw"]), step(nil, .other, []),
    ]
  }

  @Test(arguments: [80, 100])
  func theWholeReport(_ width: Int) throws {
    try Golden.expect(try report().text(width: width), is: "hitch-\(width).txt")
  }

  @Test func manyStepsAreDrawnTogetherUntilTheyFit() throws {
    let hitch = try report().hitch
    let count = 5_000
    let length = hitch.window.upperBound - hitch.window.lowerBound
    var random = SeededGenerator(seed: 7)
    let times = (0..<count - 1).map { _ in Int64.random(in: 0...length, using: &random) }.sorted()
    let bounds = [0] + times + [length]
    let steps = (0..<count).map { index in
      CriticalStep(
        range: hitch.window.lowerBound + bounds[index]..<hitch.window.lowerBound
          + bounds[index + 1],
        track: index / 7 % 2, kind: .span, path: ["work", "part \(index % 5)"],
        hops: index / 7 % 2, link: index / 7 % 2 > 0 ? .lock : nil, earlierFrame: nil)
    }
    for most in [1, 2, 24, 600, 4_999] {
      let lines = CriticalPathLines(steps, most: most).lines
      #expect(lines.count <= most)
      #expect(lines.first?.range.lowerBound == hitch.window.lowerBound)
      #expect(lines.last?.range.upperBound == hitch.window.upperBound)
      #expect(lines.map(\.steps).map(\.count).reduce(0, +) == count)
      for (line, next) in zip(lines, lines.dropFirst()) {
        #expect(line.range.upperBound == next.range.lowerBound)
      }
    }
    #expect(CriticalPathLines(steps, most: nil).lines.count == count)
    let text = try report(steps: steps).text()
    #expect(text.split(separator: "\n").count < 60)
    #expect(text.contains("5,000 steps; short ones are drawn together, --all shows each"))
    #expect(try report(steps: steps).text(showsAll: true).split(separator: "\n").count > 5_000)
  }

  @Test func theLinesOfThePathAddUp() throws {
    let report = try report()
    let rows = report.text().matches(of: #/\n +\d+\.\d\d +(\d+)\.(\d\d) [=~] /#)
    #expect(rows.count == 10)
    let sum = rows.reduce(0) { $0 + (Int64($1.1 + $1.2) ?? 0) }
    let length = report.hitch.window.upperBound - report.hitch.window.lowerBound
    #expect(sum == Figure.rounded(length, to: 10_000))
  }

  @Test func everyMemberIsDocumented() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(try report().json())) as? [String: Any])
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
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try ["HitchJSON.md", "BlameJSON.md"].map {
      try String(contentsOf: folder.appending(path: "../../Documentation/\($0)"), encoding: .utf8)
    }.joined()
    #expect(keys.count > 30)
    for key in keys.sorted() {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key) is not documented")
    }
    #expect(json["schema"] as? String == "flamelark.hitch/1")
    #expect((json["steps"] as? [[String: Any]])?.count == 10)
  }
}
