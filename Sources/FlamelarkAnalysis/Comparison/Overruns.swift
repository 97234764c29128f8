internal import FlamelarkTrace

/// By how much frames were done after their target, in nanoseconds: below 0 of those that had time left.
///
/// A frame is done when it was shown, where that is known, else when the program had it ready, else when
/// the next begins. That is no lateness: a frame that is done 1 ms after its target is late by a whole
/// refresh where the display shows the next one only then.
public struct Overruns: Sendable, Equatable {
  /// All of them, ascending.
  public let sorted: [Int64]

  init(_ unsorted: [Int64]) { sorted = unsorted.sorted() }

  init(of judged: JudgedFrames) {
    let series = judged.series
    self.init(
      judged.frames.compactMap { frame in
        guard frame.isActive else { return nil }
        let known = series.frames.indices.contains(frame.number)
        var end: Int64?
        switch series.mode {
        case .presented:
          guard known, let shown = series.frames[frame.number].presented else { return nil }
          end = shown
        case .displayLink: end = known ? series.frames[frame.number].end : nil
        case .marks, .spans: break
        }
        return (end ?? frame.window.upperBound).minus(frame.target)
      })
  }

  /// All of several sets.
  init(_ parts: some Sequence<Overruns>) { self.init(parts.flatMap(\.sorted)) }

  /// What `percent` of them don't exceed, by nearest rank; nil if there are none.
  public func percentile(_ percent: Int) -> Int64? {
    NearestRank.value(perMille: percent * 10, of: sorted)
  }

  /// The part of them from a time to before another: 0…1.
  public func share(from lower: Int64?, to upper: Int64?) -> Double {
    guard !sorted.isEmpty else { return 0 }
    func place(_ time: Int64) -> Int { sorted.partitionPoint { $0 < time } }
    let first = lower.map(place) ?? 0
    let end = upper.map(place) ?? sorted.count
    return Double(max(0, end - first)) / Double(sorted.count)
  }

  /// How far two distributions are apart; nil if one of them is empty. O(frames).
  public func distance(to other: Overruns) -> Distance? {
    let (a, b) = (sorted, other.sorted)
    guard let first = a.first, let second = b.first else { return nil }
    var result = Distance(mean: 0, widest: 0, place: min(first, second))
    var (i, j) = (0, 0)
    var last = min(first, second)
    while i < a.count || j < b.count {
      let time = min(i < a.count ? a[i] : .max, j < b.count ? b[j] : .max)
      let gap = Double(i) / Double(a.count) - Double(j) / Double(b.count)
      result.mean += gap.magnitude * (Double(time) - Double(last))
      while i < a.count, a[i] == time { i += 1 }
      while j < b.count, b[j] == time { j += 1 }
      let now = (Double(i) / Double(a.count) - Double(j) / Double(b.count)).magnitude
      if now > result.widest {
        result.widest = now
        result.place = time
      }
      last = time
    }
    return result
  }

  /// How far two distributions are apart.
  public struct Distance: Sendable, Equatable {
    /// By how much a frame differs on average if each of one is put beside that of the same rank of the
    /// other, in nanoseconds. Source: Wasserstein's distance of the first order on a line, Vallender (1974).
    public var mean: Double
    /// The greatest difference of the parts that are at most so late: 0…1. Source: Kolmogorov (1933),
    /// Smirnov (1948).
    public var widest: Double
    /// The overrun where it is greatest, in nanoseconds.
    public var place: Int64
  }
}
