/// The hitch ratios of several parts that are alike: activities of a name, or sessions.
public struct RatioSpread: Sendable, Equatable {
  /// Lateness and the active time that it is measured by, both in nanoseconds.
  public struct Part: Sendable, Equatable {
    /// The sum of all lateness.
    public var hitchTime: Int64
    /// The time in which frames were asked for.
    public var activeTime: Int64

    /// A part.
    public init(hitchTime: Int64, activeTime: Int64) {
      self.hitchTime = hitchTime
      self.activeTime = activeTime
    }

    /// Milliseconds of lateness in a second of active time, 0 without any.
    public var hitchRatio: Double { FlamelarkAnalysis.hitchRatio(hitchTime, in: activeTime) }

    /// Both together.
    public static func + (a: Part, b: Part) -> Part {
      Part(
        hitchTime: a.hitchTime.plus(b.hitchTime), activeTime: a.activeTime.plus(b.activeTime))
    }
  }

  /// From so many parts on there is a P90: of fewer it would be the worst one.
  public static let leastForP90 = 10

  /// How many parts have active time; the others don't count.
  public let count: Int
  /// All lateness over all active time.
  public let pooled: Part
  /// The ratio that half of the parts are not above, by nearest rank; nil without parts.
  public let median: Double?
  /// The ratio that nine in ten of the parts are not above, by nearest rank; nil below
  /// ``leastForP90`` parts.
  public let p90: Double?
  /// The greatest ratio, nil without parts.
  public let worst: Double?

  /// The spread of some parts. `pooled` is all of them together where they overlap.
  public init(_ parts: [Part], pooled: Part? = nil) {
    let counted = parts.filter { $0.activeTime > 0 }
    let ratios = counted.map(\.hitchRatio).sorted()
    count = counted.count
    self.pooled = pooled ?? counted.reduce(Part(hitchTime: 0, activeTime: 0), +)
    median = NearestRank.value(perMille: 500, of: ratios)
    p90 = count >= Self.leastForP90 ? NearestRank.value(perMille: 900, of: ratios) : nil
    worst = ratios.last
  }
}
