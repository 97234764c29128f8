import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkReport

@Suite struct FramesPictureTests {
  /// Names that would be markup, and a name that XML doesn't allow at all.
  private func report(sessions count: Int = 1) throws -> FramesReport {
    var trace = GameRun().trace
    trace.frameSeries[0].name = "<script>alert(\"a & b\")</script>\u{0}\u{1B}"
    let name = trace.names.intern("\"/><image href='x' onerror='y'>]]>")
    for number in 0..<3 as Range<Int64> {
      trace.activities.append(
        .init(name: name, range: .ms(100) * number..<(.ms(100) * number + .ms(90))))
    }
    return FramesReport(
      of: (0..<count).map { index in
        FramesReport.Session(
          of: trace, series: trace.frameSeries, view: SameView(of: "<a&b>\(index).lark"))
      })
  }

  @Test func namesAreTextAndNothingElse() throws {
    for count in [1, 2, 30] {
      let svg = FramesPicture(try report(sessions: count)).svg()
      let text = String(decoding: svg, as: UTF8.self)
      #expect(!text.contains("<script"))
      #expect(!text.contains("<image"))
      #expect(!text.contains("\u{0}"))
      #expect(text.contains("&lt;script&gt;"))
      let titles = try #require(try NamesOfXML().titles(in: svg), "no XML")
      // A bar for each of the late frames of each series that is drawn: 10, 20, 25, 30 and 35.
      #expect(titles.count == 5 * min(count, 8))
    }
  }

  @Test func whatIsLeftOutIsTold() throws {
    let text = String(decoding: FramesPicture(try report(sessions: 60)).svg(), as: UTF8.self)
    #expect(text.contains("52 series more left out"))
    #expect(text.contains("22 more left out"))
    #expect(
      !String(decoding: FramesPicture(try report()).svg(), as: UTF8.self).contains("left out"))
  }

  @Test func theSameReportGivesTheSameBytes() throws {
    #expect(FramesPicture(try report()).svg() == FramesPicture(try report()).svg())
  }

  @Test func framesWithoutAnEndAreDrawnAsNone() throws {
    var trace = GameRun().trace
    trace.frameSeries[0].frames.removeLast(trace.frameSeries[0].frames.count - 1)
    let report = FramesReport(
      of: [
        FramesReport.Session(of: trace, series: trace.frameSeries, view: SameView(of: "a.lark"))
      ])
    let text = String(decoding: FramesPicture(report).svg(), as: UTF8.self)
    #expect(text.contains("no frame has an end"))
  }

  @Test func ticksAreRound() {
    func texts(_ limit: Double) -> [String] {
      let ticks = Ticks(upTo: limit, most: 4)
      return ticks.values.map { ticks.text($0) }
    }
    #expect(texts(16.7) == ["0", "5", "10", "15"])
    #expect(texts(50) == ["0", "20", "40"])
    #expect(texts(0.9) == ["0.0", "0.5"])
    #expect(texts(700) == ["0", "200", "400", "600"])
    #expect(texts(0) == ["0"])
    for limit in [1e-9, 1e-3, 3, 1e9, 9e12] { #expect(texts(limit).count <= 5) }
  }
}
