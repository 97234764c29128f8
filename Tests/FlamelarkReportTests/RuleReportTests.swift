import FlamelarkAnalysis
import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// What is said of the rules of others.
@Suite struct RuleReportTests {
  /// A display link of 50 Hz with four long frames, twice as many as are listed if `isLong`.
  private func frames(isLong: Bool = false) -> JudgedFrames {
    var series = Trace.FrameSeries(name: "link", mode: .displayLink)
    var now: Int64 = 0
    let times = [20, 20, 20, 100, 20, 20, 20, 140, 20, 20, 20, 800] as [Double]
    for time in isLong ? Array(repeating: times, count: 30).flatMap({ $0 }) : times {
      var frame = Trace.Frame(number: series.frames.count, timestamp: now, track: 0)
      frame.target = now + .ms(20)
      frame.interval = .ms(20)
      frame.end = now + .ms(time)
      frame.isRequested = true
      series.frames.append(frame)
      now += .ms(time)
    }
    series.frames.append(Trace.Frame(number: series.frames.count, timestamp: now, track: 0))
    return JudgedFrames(of: series, in: Trace())
  }

  @Test func theWholeText() {
    let outcome = FrameRule.perfDog.apply(to: frames())
    #expect(
      RuleText.lines(of: outcome, width: 80) == [
        "Rule perfdog: Jank, BigJank and Stutter of PerfDog",
        "  Jank is a frame time above twice the mean of the three before it and above 84",
        "  ms, BigJank above 125 ms; Stutter is the part of the time in janks.",
        "  12 frames judged by the time from timestamp to timestamp",
        "",
        " frames  called",
        " ------  ------------------",
        "      3  Jank",
        "      2  BigJank, also Jank",
        "",
        "   value  unit    figure",
        " -------  ------  -------",
        "   85.25  %       Stutter",
        " 1475.41  /10min  Jank",
        "  983.61  /10min  BigJank",
        "",
        "  bad: 3, 7, 11",
      ])
  }

  @Test func whatIsNotKnownIsADashAndNoBadFrameIsSaid() {
    let none = JudgedFrames(of: Trace.FrameSeries(name: "none", mode: .displayLink), in: Trace())
    let lines = RuleText.lines(of: FrameRule.capFrameX.apply(to: none))
    #expect(lines.contains("      -  %     stuttering time"))
    #expect(lines.last == "  No frame is bad by this rule.")
    #expect(lines.contains("  0 frames judged by the time from timestamp to timestamp"))
  }

  @Test(arguments: FrameRule.allCases, [60, 80, 100])
  func noLineIsWiderThanAskedAndFewNumbersAreListed(rule: FrameRule, width: Int) throws {
    let outcome = rule.apply(to: frames(isLong: true))
    #expect(outcome.badFrames.count >= 30)
    let lines = RuleText.lines(of: outcome, width: width)
    for line in lines {
      #expect(line.count <= width, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    let text = lines.joined(separator: "\n")
    let list = try #require(text.range(of: "bad: "))
    let numbers = text[list.upperBound...].matches(of: /\d+/).count
    #expect(numbers == (outcome.badFrames.count > 40 ? 41 : outcome.badFrames.count))
    #expect(text.contains(" more") == (outcome.badFrames.count > 40))
    #expect(lines[0].contains(rule.rawValue))
    for figure in outcome.figures { #expect(text.contains("  \(figure.name)")) }
  }

  @Test(arguments: [40, 41]) func fortyNumbersAreListed(count: Int) {
    var series = Trace.FrameSeries(name: "link", mode: .displayLink)
    for number in 0..<count {
      var frame = Trace.Frame(number: number, timestamp: .ms(Double(number) * 20), track: 0)
      frame.target = frame.timestamp + .ms(20)
      frame.end = frame.timestamp + .ms(50)
      series.frames.append(frame)
    }
    let outcome = FrameRule.jankStats.apply(to: JudgedFrames(of: series, in: Trace()))
    let last = RuleText.lines(of: outcome, width: 400).last
    let numbers = (0..<40).map { "\($0)" }.joined(separator: ", ")
    #expect(last == "  bad: \(numbers)" + (count > 40 ? " and 1 more" : ""))
  }

  /// The sentences have the figures by which the rules judge.
  @Test func theSentencesSayTheThresholds() {
    let said: [FrameRule: [String]] = [
      .jankStats: ["2.0"], .frameOverrun: ["below 0"], .sentry: ["1 / (rate - 1)", "0.7 s"],
      .perfDog: ["twice", "84 ms", "125 ms"], .unreal: ["60 ms", "1.5", "200 ms"],
      .capFrameX: ["2.5"],
    ]
    for rule in FrameRule.allCases {
      for word in said[rule] ?? ["?"] { #expect(rule.sentence.contains(word), "\(rule)") }
    }
  }

  @Test(arguments: FrameRule.allCases) func theJSONHasAllOfTheOutcome(rule: FrameRule) throws {
    let outcome = rule.apply(to: frames())
    var json = JSONWriter()
    json.object { $0.write(outcome) }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    #expect(object["rule"] as? String == rule.rawValue)
    #expect(object["owner"] as? String == rule.owner)
    #expect(object["time"] as? String == outcome.time.rawValue)
    #expect(object["judged"] as? Int == outcome.judged)
    #expect(object["bad"] as? Int == outcome.badFrames.count)
    let classes = try #require(object["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == outcome.classes.map(\.name))
    #expect(classes.map { $0["part_of"] as? String } == outcome.classes.map(\.partOf))
    #expect(classes.map { $0["count"] as? Int } == outcome.classes.map(\.count))
    #expect(classes.map { $0["frames"] as? [Int] } == outcome.classes.map(\.frames))
    let figures = try #require(object["figures"] as? [[String: Any]])
    #expect(figures.map { $0["name"] as? String } == outcome.figures.map(\.name))
    for (figure, expected) in zip(figures, outcome.figures) {
      let value = try #require(figure["value"] as? Double)
      // Foundation reads the last digit as it likes.
      #expect(abs(value - (expected.value ?? .nan)) < 1e-9, "\(expected.name)")
    }
    #expect(figures.map { $0["unit"] as? String } == outcome.figures.map(\.unit.rawValue))
  }

  @Test func everyMemberOfTheJSONIsDocumented() throws {
    var json = JSONWriter()
    json.object { json in
      json.array("rules", of: FrameRule.allCases) { json, rule in
        json.object { $0.write(rule.apply(to: frames())) }
      }
    }
    let text = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/FrameRules.md"), encoding: .utf8)
    let part = try #require(text.range(of: "## JSON")).upperBound
    var keys: Set<String> = []
    func collect(_ value: Any) {
      if let object = value as? [String: Any] {
        keys.formUnion(object.keys)
        object.values.forEach(collect)
      }
      if let array = value as? [Any] { array.forEach(collect) }
    }
    collect(try JSONSerialization.jsonObject(with: Data(json.bytes)))
    keys.remove("rules")
    #expect(keys.count == 13)
    for key in keys.sorted() {
      #expect(
        text[part...].contains("`\(key)`") || text[part...].contains("`\(key)[]`"),
        "\(key) is not documented")
    }
    for unit in FrameRule.allCases.flatMap({ $0.apply(to: frames()).figures.map(\.unit.rawValue) })
    {
      #expect(text[part...].contains("`\(unit)`"))
    }
  }
}
