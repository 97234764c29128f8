/// The frame rate in the slowest part of the frames. Two definitions are in use, which disagree.
public struct FrameLow: Sendable, Equatable {
  /// The part, in thousandths: 10 of the 1 % low, 1 of the 0.1 % low.
  public let perMille: Int
  /// The frame time at which the longest frames, added up from the longest on, reach that part of all time.
  public let timeIntegral: Int64
  /// The frame time that all but that part of the frames don't exceed, by nearest rank.
  public let percentile: Int64
  /// The longest frame time: where a low is the same, it speaks of one frame alone.
  public let longest: Int64

  /// The parts that are told.
  public static let parts = [10, 1]

  /// The lows of frame times; none without frames. O(n log n).
  static func lows(of times: [FrameTime]) -> [FrameLow] {
    let ascending = times.map(\.duration).sorted()
    let total = ascending.reduce(Int64(0)) { $0.plus($1) }
    return parts.compactMap { part in
      guard let longest = ascending.last,
        let percentile = NearestRank.value(perMille: 1000 - part, of: ascending)
      else { return nil }
      // ⌈total · part / 1000⌉, without a product that overflows.
      let limit = total / 1000 * Int64(part) + (total % 1000 * Int64(part) + 999) / 1000
      var sum: Int64 = 0
      let reached = ascending.reversed().first { time in
        sum = sum.plus(time)
        return sum >= limit
      }
      return FrameLow(
        perMille: part, timeIntegral: reached ?? longest, percentile: percentile, longest: longest)
    }
  }

  /// A frame time as a rate.
  public static func framesPerSecond(_ frameTime: Int64) -> Double {
    FrameRate.framesPerSecond(1, in: frameTime)
  }
}
