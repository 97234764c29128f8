import Flamelark
import Spans

@main struct Recorded {
  static func main() throws {
    let recording = try Recording.start(writingTo: CommandLine.arguments[1])
    Loop().marksItsSeries()
    _ = returnsAValue(1)
    try recording.stop()
  }
}
