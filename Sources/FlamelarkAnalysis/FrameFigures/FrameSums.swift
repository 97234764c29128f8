internal import FlamelarkTrace

/// Sums over the frames that begin in a range, of any number of ranges. O(log frames) each.
struct FrameSums {
  /// What frames come to.
  struct Sum: Equatable {
    var frames = 0
    var hitches = 0
    var part = RatioSpread.Part(hitchTime: 0, activeTime: 0)
  }

  /// When the time of each frame begins, ascending.
  private let starts: [Int64]
  /// Those of all frames before each.
  private var before: [Sum]

  init(_ frames: [JudgedFrames.Frame]) {
    let frames = frames.sorted {
      ($0.window.lowerBound, $0.number) < ($1.window.lowerBound, $1.number)
    }
    starts = frames.map(\.window.lowerBound)
    before = [Sum()]
    before.reserveCapacity(frames.count + 1)
    var sum = Sum()
    for frame in frames {
      sum.frames += 1
      if frame.lateness > 0 { sum.hitches += 1 }
      sum.part =
        sum.part
        + RatioSpread.Part(hitchTime: frame.lateness, activeTime: frame.activeTime)
      before.append(sum)
    }
  }

  func sum(in range: Range<Int64>) -> Sum {
    let from = before[starts.partitionPoint { $0 < range.lowerBound }]
    let to = before[starts.partitionPoint { $0 < range.upperBound }]
    return Sum(
      frames: to.frames - from.frames, hitches: to.hitches - from.hitches,
      part: RatioSpread.Part(
        hitchTime: to.part.hitchTime.minus(from.part.hitchTime),
        activeTime: to.part.activeTime.minus(from.part.activeTime)))
  }
}
