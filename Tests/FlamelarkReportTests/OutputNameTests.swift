import FlamelarkReport
import Testing

@Suite struct OutputNameTests {
  @Test(arguments: [
    ("game.trace.json", nil), ("game.trace.json.gz", nil), ("a/b.json", nil), ("", nil),
    ("late.speedscope.json", "its own format"), ("a/late.speedscope.json", "its own format"),
    ("GameTrace-20260101T101010.json", "a Chrome timeline"), ("Trace-2026010T101010.json", nil),
    ("Trace-20260101T101010/game.json", nil),
    ("cpu-Profile-20260101T101010", "a Chrome CPU profile"),
    ("a.chrome.json", "a Chrome CPU profile"), ("callgrind.out", "callgrind's output"),
    ("a-recording.json", "a Safari recording"), ("Trace-20260101T10101", nil),
  ])
  func speedscopeGoesByName(_ name: String, _ format: String?) {
    #expect(OutputName(name).routedFormat == format)
  }

  @Test func gzipIsToldByName() {
    #expect(OutputName("game.trace.json.gz").isGzip)
    #expect(!OutputName("game.gz.json").isGzip)
  }
}
