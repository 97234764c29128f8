import FlamelarkTrace
import _FlamelarkTestSupport

/// Loops in which nothing is at fault, some of whose frames are late all the same: does the report
/// decline to name a cause?
///
/// It does if it says so, and, where it doesn't say whether it does, if its first cause bears less
/// than half of all lateness or is no part of the program.
struct NoCauseCheck {
  private let command: BlameCommand
  private let seed: UInt64

  init(command: BlameCommand, seed: UInt64) {
    self.command = command
    self.seed = seed
  }

  /// Judges so many loops, of all kinds of noise in turns. Prints each that was judged wrongly, and
  /// how many of each kind were not.
  ///
  /// - Returns: How many were judged rightly.
  func run(count: Int) throws -> Int {
    var right: [NoisyLoop.Noise: Int] = [:]
    var all: [NoisyLoop.Noise: Int] = [:]
    for number in 0..<count {
      let noise = NoisyLoop.Noise.allCases[number % NoisyLoop.Noise.allCases.count]
      var loop = NoisyLoop(seed: seed &* 1000 &+ UInt64(number), noise: noise)
      let (trace, rate) = try loop.run()
      let series = try command.blame(trace, frames: NoisyLoop.frame, rate: rate)
      all[noise, default: 0] += 1
      guard series.hitch_count > 0 else {
        throw BlameCommand.Failure(description: "loop \(number) has no hitch")
      }
      if series.declines {
        right[noise, default: 0] += 1
      } else {
        print("  wrong: loop \(number), \(noise.rawValue), \(series.hitch_count) hitches")
        for cause in series.causes.prefix(3) { print("    \(cause)") }
      }
    }
    for noise in NoisyLoop.Noise.allCases where all[noise] != nil {
      print("\(noise.rawValue): \(right[noise] ?? 0) of \(all[noise] ?? 0)")
    }
    return right.values.reduce(0, +)
  }
}
