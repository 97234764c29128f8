import FlamelarkReport
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Which frames a report speaks of.
@Suite struct FrameSelectionTests {
  /// 40 frames of 10 ms, with activities over frames 5…9 and 20…24, the second told twice.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("work", from: 0, to: .ms(400))
    builder.marks("game", at: (0..<40).map { .ms(Double($0) * 10) }, refresh: .ms(10))
    builder.marks("audio", at: (0..<40).map { .ms(Double($0) * 10) }, refresh: .ms(10))
    let (scroll, zoom) = (builder.name("scroll"), builder.name("zoom"))
    var trace = try builder.build()
    trace.activities = [
      Trace.Activity(name: scroll, range: .ms(50)..<(.ms(100))),
      Trace.Activity(name: zoom, range: .ms(120)..<(.ms(130))),
      Trace.Activity(name: scroll, range: .ms(200)..<(.ms(230))),
      Trace.Activity(name: scroll, range: .ms(210)..<(.ms(250)), series: 0),
    ]
    return trace
  }

  private func milliseconds(_ selection: FrameSelection, series: Int = 0) throws -> [[Int64]]? {
    let trace = try trace()
    return selection.ranges(of: trace.frameSeries[series], in: trace, refresh: nil)?.map {
      [$0.lowerBound / 1_000_000, $0.upperBound == .max ? -1 : $0.upperBound / 1_000_000]
    }
  }

  @Test func everythingIsAskedForAtFirst() throws {
    #expect(try milliseconds(FrameSelection()) == nil)
  }

  @Test func activitiesOfANameAreTakenTogetherOnce() throws {
    var selection = FrameSelection()
    selection.activity = "scroll"
    #expect(try milliseconds(selection) == [[50, 100], [200, 250]])
    #expect(try milliseconds(selection, series: 1) == [[50, 100], [200, 230]])
    selection.range = .ms(60)..<(.ms(220))
    #expect(try milliseconds(selection) == [[60, 100], [200, 220]])
    selection.activity = "spin"
    #expect(try milliseconds(selection) == [])
  }

  @Test func aWarmUpIsLeftOut() throws {
    var selection = FrameSelection()
    selection.skip = .frames(3)
    #expect(try milliseconds(selection) == [[30, -1]])
    selection.skip = .time(.ms(45))
    #expect(try milliseconds(selection) == [[45, -1]])
    selection.range = .ms(60)..<(.ms(220))
    #expect(try milliseconds(selection) == [[60, 220]])
    selection.skip = .frames(40)
    #expect(try milliseconds(selection) == [])
    selection.skip = .time(.max)
    #expect(try milliseconds(selection) == [])
  }

  @Test func severalActivitiesAreJudgedTogether() throws {
    var trace = GameRun().trace
    let name = trace.names.intern("scroll")
    let frames = trace.frameSeries[0].frames
    trace.activities = [(9, 12), (18, 22), (34, 36)].map {
      Trace.Activity(name: name, range: frames[$0.0].timestamp..<frames[$0.1].timestamp)
    }
    var options = BlameReport.Options()
    options.selection.activity = "scroll"
    let report = BlameReport(
      of: trace, series: trace.frameSeries, view: SameView(of: "a.lark"), options: options)
    #expect(report.frameCount == 9)
    #expect(report.text().contains("hitches 3 "))
    #expect(report.text().contains("in \"scroll\", 3 activities"))
  }

  @Test func theReportSpeaksOfTheFramesThatAreAskedFor() throws {
    let trace = GameRun().trace
    var options = BlameReport.Options()
    options.selection.skip = .frames(15)
    let report = BlameReport(
      of: trace, series: trace.frameSeries, view: SameView(of: "a.lark"), options: options)
    #expect(report.frameCount == 25)
    #expect(report.text().contains("without the first 15 frames"))
    #expect(report.text().contains("hitches 4 "))
    options.selection.skip = .frames(500)
    let none = BlameReport(
      of: trace, series: trace.frameSeries, view: SameView(of: "a.lark"), options: options)
    #expect(none.frameCount == 0)
  }
}
