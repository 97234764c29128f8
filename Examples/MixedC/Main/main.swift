import Flamelark
import Plain
import Plus

// Swift, C and C++ in one trace: every twentieth frame has more to sort.
let recording = try Recording.start(writingTo: "mixed-c.lark")
let frames = FrameSeries("loop", refresh: .hertz(60))
var sum: UInt64 = 0
for frame in 1...60 {
  withSpan("frame") {
    var numbers = (0..<UInt32(frame % 20 == 0 ? 12_000 : 100)).map { $0 &* 2_654_435_761 }
    unsafe plain_sort(&numbers, numbers.count)
    sum &+= plus_render(10_000)
  }
  frames.mark()
}
plus_simulate(20)
try recording.stop()
print("mixed: 60 frames, sum \(sum)")
