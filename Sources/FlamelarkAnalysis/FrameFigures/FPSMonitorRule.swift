/// Frames per second as a counter on a display link has long told them, for comparison with its logs.
///
/// The first callback sets t₀ and is not counted. Each after it adds one to n. When Δ = now − t₀ is at least
/// a second, the rate is round(n/Δ), and both begin anew: so the callback behind a window only sets t₀, and
/// the time up to it is in no window. A stall there is not seen. ``FrameRate`` has no such gaps.
public struct FPSMonitorRule: Sendable, Equatable {
  /// The rates that it would have told, in order.
  public let rates: [Int]
  /// The time between its windows, in nanoseconds: nothing counted it.
  public let unseenTime: Int64
  /// The longest time between two of its windows, in nanoseconds.
  public let longestUnseen: Int64

  /// Counts callbacks at some times, which ascend. What goes back makes no window.
  init(_ callbacks: some Sequence<Int64>) {
    var rates: [Int] = []
    var begin: Int64?
    var count = 0
    var windowEnd: Int64?
    var unseen: (sum: Int64, longest: Int64) = (0, 0)
    for now in callbacks {
      guard let first = begin else {
        let gap = windowEnd.map { max(0, now.minus($0)) } ?? 0
        unseen = (unseen.sum.plus(gap), max(unseen.longest, gap))
        begin = now
        continue
      }
      count += 1
      let elapsed = now.minus(first)
      guard elapsed >= FrameRate.windowTime else { continue }
      rates.append(Int(FrameRate.framesPerSecond(count, in: elapsed).rounded()))
      (begin, count, windowEnd) = (nil, 0, now)
    }
    self.rates = rates
    unseenTime = unseen.sum
    longestUnseen = unseen.longest
  }
}
