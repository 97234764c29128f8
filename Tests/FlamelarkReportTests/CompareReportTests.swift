import FlamelarkAnalysis
import FlamelarkReport
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// A loop of a display at 60 Hz, in which `load` or what stands for it is sometimes slow.
private struct SmallLoop {
  var slow = 6
  var name = "load 1"
  var shift = 0

  func run() throws -> RunFigures {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    var time: Int64 = 0
    let interval = GameRun.interval
    for number in 0..<180 {
      let place = (number + shift) % 60
      let isLate = place % 9 == 0 && place / 9 < slow
      let load = isLate ? 16 + Double((number * 37 + shift * 101) % 50) / 10 : 3
      builder.advance(to: time + .ms(0.5))
      builder.span("layout") {
        $0.span("measure", lasting: .ms(2))
        $0.span(name, lasting: .ms(load))
      }
      let end = builder.now
      frames.append(.displayLink(at: time, target: time + interval, end: end))
      time += (end - time + interval - 1) / interval * interval
    }
    builder.frames("game", mode: .displayLink, frames)
    let trace = try builder.build()
    return RunFigures(of: trace, series: trace.frameSeries[0])
  }

  func runs(_ count: Int) throws -> [RunFigures] {
    try (0..<count).map { number in
      var loop = self
      loop.shift = number
      return try loop.run()
    }
  }
}

@Suite struct CompareReportTests {
  private func report(_ a: [RunFigures], _ b: [RunFigures]) -> CompareReport {
    CompareReport(
      Comparison(a, b), a: a.indices.map { "main/run-\($0).lark" },
      b: b.indices.map { "run-\($0).lark" })
  }

  @Test(arguments: [80, 100]) func theWholeReport(_ width: Int) throws {
    let report = report(
      try SmallLoop().runs(5), try SmallLoop(slow: 3, name: "parse").runs(5))
    let text = report.text(width: width)
    try Golden.expect(text, is: "compare-\(width).txt")
    #expect(text.split(separator: "\n").allSatisfy { columns(of: String($0)) <= width })
  }

  @Test func oneRunASide() throws {
    let report = report([try SmallLoop().run()], [try SmallLoop(slow: 1).run()])
    try Golden.expect(report.text(width: 100), is: "compare-one-100.txt")
  }

  @Test func theMarkdown() throws {
    let report = report(
      try SmallLoop().runs(4), try SmallLoop(slow: 3, name: "parse").runs(4))
    try Golden.expect(report.markdown(), is: "compare.md")
  }

  @Test(arguments: [80, 100]) func theWholeCheck(_ width: Int) throws {
    let (a, b) = (try SmallLoop().runs(5), try SmallLoop(slow: 7, name: "parse").runs(5))
    var limits = CheckReport.Limits()
    limits.hitchRatio = 50
    limits.p90 = 300
    let check = CheckReport(
      b, files: ["b"], limits: limits, compared: report(a, b), leftOut: ["x\u{1B}.lark: broken"])
    #expect(!check.isKept)
    try Golden.expect(check.text(width: width), is: "check-\(width).txt")
    #expect(!check.text().contains("\u{1B}") && !check.markdown().contains("\u{1B}"))
  }

  @Test func colourMarksTheVerdictAlone() throws {
    let report = report(try SmallLoop().runs(4), try SmallLoop(slow: 1).runs(4))
    let colored = report.text(isColored: true)
    #expect(colored.contains("\u{1B}[1;32mBETTER\u{1B}[0m"))
    let plain = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == report.text())
  }
}
