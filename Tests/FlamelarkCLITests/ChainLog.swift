import FlamelarkTrace
import Foundation

/// What a program of known chains of waits says of itself: see `ChainLog` of `RecorderProbe`.
struct ChainLog {
  /// Somebody worked or waited in a frame.
  struct Fact {
    let frame: Int
    let name: String
    let range: Range<Int64>

    var length: Int64 { range.upperBound - range.lowerBound }
  }

  /// When the loop ended a pass, the beginning of the first one before them.
  private(set) var marks: [Int64] = []
  /// The frames that have the long work.
  private(set) var late: [Int] = []
  private(set) var works: [Fact] = []
  private(set) var waits: [Fact] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.map { Int64($0) ?? 0 }
      switch words[0] {
      case "mark": marks.append(numbers[1])
      case "late": late.append(Int(numbers[1]))
      case "work": works.append(Self.fact(words[2], numbers))
      default: waits.append(Self.fact(words[2], numbers))
      }
    }
  }

  private static func fact(_ name: String, _ numbers: [Int64]) -> Fact {
    Fact(frame: Int(numbers[1]), name: name, range: numbers[3]..<numbers[4])
  }

  /// What the program's clock says at time 0 of the trace. Each mark was made after its time was taken, so
  /// the latest guess is the best.
  func zero(of frames: [Trace.Frame]) -> Int64? {
    zip(marks, frames).map { $0 - $1.begin }.max()
  }

  func work(_ name: String, in frame: Int) -> Fact? {
    works.first { $0.frame == frame && $0.name == name }
  }

  /// How long this work was done while somebody waited: the rest nobody waited for.
  func time(of work: String, in frame: Int, during wait: String) -> Int64 {
    let range = self.work(work, in: frame)?.range ?? 0..<0
    let time = waits.first { $0.frame == frame && $0.name == wait }?.range ?? 0..<0
    return max(0, min(range.upperBound, time.upperBound) - max(range.lowerBound, time.lowerBound))
  }
}
