import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

@Suite struct FramesReportTests {
  /// A loop of a display link at 120 and 60 Hz with scrolls, hitches and a frozen frame, and a screen that
  /// says when it showed frames: with a dropped frame and a full queue.
  private static func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var now: Int64 = 0
    for number in 0..<420 {
      let interval = number % 140 < 80 ? Int64.ms(8) : .ms(16)
      var time = interval
      if number % 47 == 46 { time = 2 * interval }
      if number == 200 { time = .ms(720) }
      if number == 333 { time = 5 * interval }
      frames.append(
        .displayLink(
          at: now, target: number % 90 == 89 ? nil : now + interval,
          end: now + (time > interval ? time - .ms(0.5) : number % 9 == 0 ? .ms(7.5) : .ms(5))))
      now += time
    }
    let end = now
    builder.frames("feed", mode: .displayLink, frames)
    var shown: [Trace.Frame] = []
    var last: Int64 = 0
    for number in 0..<90 {
      let start = Int64(number) * .ms(16)
      var frame = Trace.Frame.displayLink(
        at: start, target: start + .ms(16), begin: start + (number == 70 ? .ms(4) : 0),
        end: start + .ms(9))
      if number == 40 {
        frame.isDiscarded = true
      } else {
        let late = (20..<30).contains(number) || (50..<53).contains(number) ? Int64.ms(16) : 0
        last = max(last, start + .ms(16) + late)
        frame.presented = last
      }
      shown.append(frame)
    }
    builder.frames("screen", mode: .presented, shown)
    let scroll = builder.name("scroll")
    let open = builder.name("open \u{1B}[31m")
    var trace = try builder.build()
    for number in 0..<12 as Range<Int64> {
      trace.activities.append(
        .init(
          name: scroll, range: end / 12 * number..<end / 12 * number + .ms(200), series: 0))
    }
    trace.activities.append(.init(name: open, range: .ms(1000)..<end, series: 0))
    trace.activities[12].isUnfinished = true
    trace.wallClockZero = 1_764_495_254_123_456_789
    return trace
  }

  private func report(
    _ traces: Trace..., series: Range<Int> = 0..<1, options: FramesReport.Options = .init()
  ) -> FramesReport {
    FramesReport(
      of: traces.enumerated().map { index, trace in
        FramesReport.Session(
          of: trace, series: Array(trace.frameSeries[series]),
          view: SameView(of: index == 0 ? "feed.lark" : "run-\(index).lark"), options: options)
      }, options: options)
  }

  private var compat: FramesReport.Options {
    var options = FramesReport.Options()
    options.tellsFPSMonitor = true
    return options
  }

  @Test(arguments: [80, 100])
  func theWholeReport(_ width: Int) throws {
    try Golden.expect(
      report(Self.trace(), options: compat).text(width: width), is: "frames-\(width).txt")
  }

  @Test func theReportOfAScreen() throws {
    try Golden.expect(
      report(Self.trace(), series: 0..<2).text(width: 100), is: "frames-screen-100.txt")
  }

  @Test func theReportOfSeveralSessions() throws {
    var calm = try Self.trace()
    calm.frameSeries[0].frames.removeLast(260)
    try Golden.expect(
      report(Self.trace(), calm, GameRun().trace).text(width: 80), is: "frames-sessions-80.txt")
  }

  @Test func severalSessionsSayWhatWasAskedForOfAllOfThem() throws {
    var options = FramesReport.Options()
    options.selection.activity = "scroll"
    options.selection.range = .ms(100)..<(.ms(4000))
    let trace = try Self.trace()
    let both = report(trace, trace, options: options)
    #expect(both.text().hasPrefix("2 sessions · in \"scroll\" · from 0.100 to 4.000 s\n"))
    let lines = report(trace, options: options).text().split(separator: "\n")
    #expect(lines[0].hasSuffix(" · in \"scroll\", 12 activities"))
    #expect(lines[1] == "  from 0.100 to 4.000 s")
    var later = options
    later.selection.range = .ms(200)..<(.ms(4000))
    let other = FramesReport.Session(
      of: trace, series: [trace.frameSeries[0]], view: SameView(of: "b.lark"), options: later)
    #expect(
      FramesReport(of: both.sessions + [other], options: options).text()
        .hasPrefix("3 sessions · in \"scroll\"\n"))
  }

  @Test(arguments: [80, 100, 140])
  func noLineIsWiderThanAsked(_ width: Int) throws {
    var trace = try Self.trace()
    trace.names = NameTable()
    for name in ["描画", "a b"] {
      _ = trace.names.intern(String(repeating: name, count: 80))
    }
    trace.frameSeries[0].name = String(repeating: "feed ", count: 40)
    for report in [
      report(trace, options: compat), report(trace, series: 0..<2), report(trace, trace),
    ] {
      for line in report.text(width: width).split(separator: "\n") {
        #expect(columns(of: String(line)) <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func colourSaysNothingOfItsOwn() throws {
    let report = report(try Self.trace())
    let colored = report.text(isColored: true)
    #expect(colored != report.text())
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == report.text())
    // Late columns have a mark below them, in the same places.
    let lines = report.text().split(separator: "\n")
    let bars = try #require(lines.firstIndex { $0.contains("▁") || $0.contains("▃") })
    let marks = lines[bars + 1]
    #expect(marks.allSatisfy { $0 == " " || $0 == "^" })
    #expect(marks.count { $0 == "^" } > 5)
    let late = colored.split(separator: "\n").filter { $0.contains("█") && !$0.contains("ms") }
    let red = late.joined().matches(of: /\u{1B}\[1;31m([▁-█]+)/).reduce(0) { $0 + $1.1.count }
    #expect(red == marks.count { $0 == "^" })
  }

  @Test func theVerdictStandsOnOneOfTheFirstLines() throws {
    let trace = try Self.trace()
    for report in [report(trace), report(trace, series: 0..<2), report(trace, trace)] {
      let lines = report.text().split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.prefix(3).contains { $0.contains("CRITICAL") })
      #expect(lines.prefix(4).contains { $0.contains("scroll scale: good < 5, critical > 10") })
    }
    var calm = GameRun().trace
    for frame in calm.frameSeries[0].frames.indices {
      calm.frameSeries[0].frames[frame].target =
        calm.frameSeries[0].frames[frame].timestamp + .ms(50)
    }
    let text = report(calm).text()
    #expect(text.contains("  GOOD   0.00 ms/s"))
    #expect(text.contains("  hitches 0"))
    #expect(!text.contains("^ late"))
  }

  @Test func aFrameWithoutAnEndIsNotJudged() throws {
    var trace = GameRun().trace
    trace.frameSeries[0].frames.removeLast(trace.frameSeries[0].frames.count - 1)
    let text = report(trace).text()
    #expect(text.contains("  NOTHING TO JUDGE   the frame has no end\n"))
    #expect(!text.contains("GOOD"))
    let json = try object(report(trace))
    #expect((json["verdict"] as? [String: Any])?["band"] is NSNull)
  }

  @Test func estimatedTargetsMakeTheRatioApproximate() throws {
    var trace = try Self.trace()
    for index in trace.frameSeries[0].frames.indices where index % 4 == 1 {
      trace.frameSeries[0].frames[index].target = nil
    }
    let text = report(trace).text()
    #expect(text.contains("   ~"))
    #expect(text.contains(" of 420: give --refresh HZ"))
  }

  private func object(_ report: FramesReport) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(report.json())) as? [String: Any])
  }

  @Test func everyMemberOfTheJSONIsDocumented() throws {
    var trace = try Self.trace()
    trace.issues = [Trace.Issue("chunks with a wrong checksum skipped", count: 3, offset: 4096)]
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
    collect(try object(report(trace, series: 0..<2, options: compat)))
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/FramesJSON.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(keys.count > 80)
    for key in keys.sorted() {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key) is not documented")
    }
  }

  /// All numbers in the text, as far as they are figures, are numbers of the JSON, rounded.
  @Test func theTextHasNoNumberThatTheJSONLacks() throws {
    var options = compat
    options.scale = .hitches
    let report = report(try Self.trace(), series: 0..<2, options: options)
    var known: Set<String> = []
    func collect(_ value: Any) {
      if let object = value as? [String: Any] { object.values.forEach(collect) }
      if let array = value as? [Any] {
        array.forEach(collect)
      }
      guard let number = value as? NSNumber, !(value is String) else { return }
      let value = number.doubleValue
      known.insert(Figure.count(Int64(value)))
      known.insert("\(Int64(value))")
      for scale in [1, 1e-6, 1e-9] {
        for decimals in 0...3 {
          // Halves away from zero, as the text has them.
          let unit = pow(10, Double(decimals))
          let rounded = (value * scale * unit).rounded() / unit
          known.insert(String(format: "%.\(decimals)f", rounded))
        }
      }
      if value > 0 { known.insert(Figure.hertz(Int64(value))) }
    }
    collect(try object(report))
    var text = report.text(width: 140)
    // What isn't a figure: names of things, the scale, the definitions, shares of 100.
    for words in [
      "1 % low", "slowest 1 % of", "0.1 % low", "slowest 0.1 % of", "up to 1 interval",
      "2 intervals", "4 intervals", "of 1 s,", "fewer than 10", "[31m", "1b}", "p50", "p90", "p99",
      report.options.scale.text,
    ] { text = text.replacing(words, with: "") }
    text = text.replacing(/\d+%/, with: "")
    var unknown: Set<String> = []
    var count = 0
    for match in text.matches(of: /\d[\d,]*(\.\d+)?/) {
      let number = String(match.0.last == "," ? match.0.dropLast() : match.0)
      count += 1
      if !known.contains(number) { unknown.insert(number) }
    }
    #expect(unknown == [])
    #expect(count > 150)
  }

  @Test func columnsKeepTheWorstFrame() {
    func frame(_ number: Int, _ time: Double, late: Double = 0) -> FrameTime {
      FrameTime(
        number: number, start: 0, duration: .ms(time), interval: .ms(10), lateness: .ms(late))
    }
    let times =
      (0..<1000).map { $0 == 777 ? frame($0, 20, late: 10) : frame($0, $0 == 778 ? 28 : 10) }
    let columns = FrameColumns(times, most: 50)
    #expect(columns.columns.count == 50 && columns.framesEach == 20)
    #expect(columns.columns.reduce(0) { $0 + $1.frames } == 1000)
    #expect(columns.columns[38].worst.number == 777)
    #expect(columns.height == .ms(28))
    #expect(!columns.isCut)
    #expect(columns.marks == String(repeating: " ", count: 38) + "^")
    let bars = columns.bars(style: TextStyle(isColored: false))
    #expect(bars == String(repeating: "▃", count: 38) + "▆" + String(repeating: "▃", count: 11))
    #expect(FrameColumns(times + [frame(1000, 900)], most: 50).height == .ms(30))
    let calm = FrameColumns((0..<3).map { frame($0, 10) }, most: 50)
    #expect(calm.height == .ms(20) && calm.marks == nil)
    #expect(calm.bars(style: TextStyle(isColored: false)) == "▄▄▄")
    #expect(FrameColumns([], most: 50).columns.isEmpty)
  }
}
