import Flamelark

let recording = try Recording.start(writingTo: "ten-lines.lark")
let frames = FrameSeries("loop", refresh: .hertz(60))
var numbers = Array(0..<2_000)
for frame in 1...120 {
  withSpan("shuffle") { numbers.shuffle() }
  withSpan("describe") { for _ in 1...(frame % 40 == 0 ? 100 : 1) { _ = numbers.description } }
  frames.mark()
}
try recording.stop()
