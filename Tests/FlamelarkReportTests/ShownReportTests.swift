import FlamelarkReport
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// What the reports say of frames whose display is known.
@Suite struct ShownReportTests {
  /// 40 frames at 62.5 Hz: one is dropped, and from frame 20 on all are an interval late; of the last
  /// two nothing is known.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    let interval = Int64.ms(16)
    var frames: [Trace.Frame] = []
    for number in 0..<40 {
      let begin = Int64(number) * interval
      builder.advance(to: begin)
      builder.span("render", lasting: .ms(4))
      var frame = Trace.Frame.displayLink(at: begin, target: begin + interval, end: builder.now)
      frame.isDiscarded = number == 10
      if number != 10, number < 38 {
        frame.presented = begin + (number < 20 ? interval : 2 * interval)
      }
      frames.append(frame)
    }
    builder.frames("screen", mode: .presented, frames)
    var trace = try builder.build()
    trace.stages = (0..<40).map { Trace.Stage(span: $0, series: 0, frame: $0 / 2) }
    trace.frameSeries[0].rests = [
      Trace.Rest(kind: .paused, frame: 39, range: .ms(640)..<(.ms(650)))
    ]
    try trace.checkInvariants()
    return trace
  }

  private func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func blameTellsOfDroppedFramesAndLatency() throws {
    let trace = try trace()
    let report = BlameReport(
      of: trace, series: trace.frameSeries, view: SameView(of: "screen.lark"))
    let text = report.text()
    #expect(text.contains(#"series "screen" · mode presented"#), "\(text)")
    #expect(text.contains("dropped 1 frame: 10"), "\(text)")
    #expect(
      text.contains(
        "latency 16.0 ms behind target for 17 frames that came no later than those before them"),
      "\(text)")
    #expect(text.contains("whether 2 frames were shown, which nobody told"), "\(text)")
    #expect(!text.contains("when frames were shown: a frame counts as late"), "\(text)")
    let series = try #require((try object(report.json())["series"] as? [[String: Any]])?.first)
    let shown = try #require(series["shown"] as? [String: Any])
    #expect(shown["dropped"] as? Int == 1)
    #expect(shown["untold"] as? Int == 2)
    #expect(shown["behind_target"] as? Int == 17)
    #expect(shown["mean_behind_target_ns"] as? Int == 16_000_000)
    #expect(series["dropped_frames"] as? [Int] == [10])
    #expect(series["hitch_ns"] as? Int == 32_000_000)
  }

  @Test func infoTellsOfDisplayRestAndStages() throws {
    let report = InfoReport(of: try trace(), file: "screen.lark")
    let text = report.text()
    #expect(text.contains("Display and rest"), "\(text)")
    #expect(text.contains("Stages"), "\(text)")
    let json = try object(report.json())
    let series = try #require((json["series"] as? [[String: Any]])?.first)
    #expect(series["shown"] as? Int == 37)
    #expect(series["dropped"] as? Int == 1)
    #expect(series["untold"] as? Int == 2)
    #expect(series["pauses"] as? Int == 1)
    #expect(series["rests"] as? Int == 0)
    let stage = try #require((json["stages"] as? [[String: Any]])?.first)
    #expect(stage["name"] as? String == "render")
    #expect(stage["series"] as? String == "screen")
    #expect(stage["count"] as? Int == 40)
    #expect(stage["frames"] as? Int == 20)
    #expect(stage["total_ns"] as? Int == 160_000_000)
  }

  @Test func nothingIsSaidWhereTheDisplayIsNotKnown() throws {
    let trace = GameRun().trace
    let report = BlameReport(of: trace, series: trace.frameSeries, view: SameView(of: "game.lark"))
    let series = try #require((try object(report.json())["series"] as? [[String: Any]])?.first)
    #expect((series["shown"] as? [String: Any])?["dropped"] is NSNull)
    #expect(!InfoReport(of: trace, file: "game.lark").text().contains("Display and rest"))
  }
}
