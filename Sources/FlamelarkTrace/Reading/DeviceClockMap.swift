/// From the ticks of a device's clock to CLOCK_MONOTONIC, by straight lines through moments at which
/// both were read.
struct DeviceClockMap {
  private struct Point {
    /// Ticks after `origin`.
    var ticks: Int64
    var monotonic: Int64
    /// Nanoseconds a tick, from here on.
    var rate: Double
  }

  private let origin: Int64
  private var points: [Point] = []
  /// How many relations contradict the rate and were left out.
  private(set) var contradicting = 0
  /// By how much more of a second it takes for its ticks of a second, in millionths; nil: not known.
  private(set) var drift: Double?
  /// Relations nearer to each other than this would bend the line by their own error, ns.
  private static let leastSpacing: Int64 = 100_000_000
  /// That error, ns.
  private static let error = 20_000.0
  /// How many of the first are tried as the one that is right.
  private static let mostStarts = 8

  /// A map through relations in any order. nil if there are none.
  init?(_ relations: [(ticks: Int64, monotonic: Int64)], ticksPerSecond: UInt64) {
    guard let origin = relations.first?.ticks else { return nil }
    self.origin = origin
    let rate = 1e9 / Double(max(1, ticksPerSecond))
    let sorted = relations.map { relation in
      Point(
        ticks: relation.ticks &- origin, monotonic: relation.monotonic.plausibleTime, rate: rate)
    }
    .sorted { ($0.ticks, $0.monotonic) < ($1.ticks, $1.monotonic) }
    // A wrong one at the front must not leave out all others.
    let chains = sorted.indices.prefix(Self.mostStarts).map {
      Self.chain(of: sorted, from: $0, rate: rate)
    }
    let most = chains.map(\.agreeing).max() ?? 0
    points = chains.first { $0.agreeing == most }?.points ?? []
    contradicting = sorted.count - most
    for index in points.indices.dropLast() {
      points[index].rate = Self.rate(from: points[index], to: points[index + 1])
    }
    guard points.count > 1 else { return }
    points[points.count - 1].rate = points[points.count - 2].rate
    drift = (Self.rate(from: points[0], to: points[points.count - 1]) / rate - 1) * 1e6
  }

  /// The time of a tick. O(log relations).
  func callAsFunction(_ tick: Int64) -> Int64 {
    let ticks = tick &- origin
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].ticks <= ticks { low = middle + 1 } else { high = middle }
    }
    let point = points[max(0, low - 1)]
    let distance = (Double(ticks &- point.ticks) * point.rate).rounded()
    return (point.monotonic + Int64(min(max(distance, -0x1p60), 0x1p60))).plausibleTime
  }

  /// The points from one on that agree with those before them, of those near to each other the first.
  private static func chain(
    of sorted: [Point], from first: Int, rate: Double
  ) -> (points: [Point], agreeing: Int) {
    var points = [sorted[first]]
    var agreeing = 1
    for point in sorted[(first + 1)...] {
      let last = points[points.count - 1]
      guard agree(last, point, rate: rate) else { continue }
      agreeing += 1
      if point.monotonic - last.monotonic >= leastSpacing { points.append(point) }
    }
    return (points, agreeing)
  }

  /// Whether the rate allows two points, the later one second, with one in a hundred to spare.
  private static func agree(_ a: Point, _ b: Point, rate: Double) -> Bool {
    let expected = Double(b.ticks &- a.ticks) * rate
    let actual = Double(b.monotonic - a.monotonic)
    return expected >= 0 && abs(actual - expected) <= expected * 0.01 + error
  }

  private static func rate(from a: Point, to b: Point) -> Double {
    // Over 0: they agree, and are far from each other.
    Double(b.monotonic - a.monotonic) / Double(b.ticks &- a.ticks)
  }
}
