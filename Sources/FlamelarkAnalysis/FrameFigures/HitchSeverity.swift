/// How bad the hitches of some frames are.
public struct HitchSeverity: Sendable, Equatable {
  /// How many frames were late.
  public let count: Int
  /// Their lateness: percentiles by nearest rank, and the greatest; nil without hitches.
  public let lateness: SpanStatistics.Durations?
  /// How many were late by up to 1, 2 and 4 intervals, each without those before it, and by more.
  public let byIntervals: [Int]

  /// The intervals up to which hitches are counted apart.
  public static let steps: [Int64] = [1, 2, 4]

  init(_ times: [FrameTime]) {
    let late = times.filter { $0.lateness > 0 }
    var counts = Array(repeating: 0, count: Self.steps.count + 1)
    for frame in late {
      // h ≤ s·P, without a product.
      let step = Self.steps.firstIndex { (frame.lateness - 1) / frame.interval < $0 }
      counts[step ?? Self.steps.count] += 1
    }
    count = late.count
    lateness = SpanStatistics.Durations(late.map(\.lateness)[...])
    byIntervals = counts
  }
}
