import CLimit
import Flamelark

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How long a thread that records stands still when its buffer is full.
enum Pause {
  /// A span that finds a buffer full follows so many that don't.
  private static let spansPerBuffer = 4084
  private static let buffers = 6000

  /// Prints percentiles of the pauses in microseconds, of a program that fills 1,000 buffers a
  /// second for six seconds: 4 million spans a second, 65 MB.
  static func print(_ path: String, handsOver: Bool) throws {
    let recording = try Recording.start(
      writingTo: path, options: .init(handsOverFullBuffers: handsOver))
    var pauses: [Double] = []
    alone()
    for _ in 0..<buffers {
      measuredRun(.loop, spansPerBuffer - 2)
      alone()
      let start = limit_nanoseconds()
      alone()
      pauses.append(Double(limit_nanoseconds() - start) / 1000)
      usleep(850)
    }
    try recording.stop()
    unlink(recording.path)
    pauses.sort()
    func percentile(_ part: Double) -> Double { pauses[Int(Double(pauses.count - 1) * part)] }
    Swift.print(
      "p50 \(percentile(0.5)) p99 \(percentile(0.99)) p99.9 \(percentile(0.999)) max \(percentile(1))"
    )
  }
}
