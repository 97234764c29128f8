import Flamelark

let recording = try Recording.start(writingTo: "ten-lines.lark")
let frames = FrameSeries("loop", refresh: .hertz(60))
var numbers = Array(0..<20_000)
for frame in 1...120 {
  withSpan("shuffle") { numbers.shuffle() }
  withSpan("sort") { for _ in 0..<(frame % 40 == 0 ? 50 : 1) { numbers.sort(by: >) } }
  frames.mark()
}
try recording.stop()
