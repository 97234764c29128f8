public import FlamelarkTrace

/// What the frames within activities of one name were like.
public struct ActivityFigures: Sendable, Equatable {
  /// One activity.
  public struct Occurrence: Sendable, Equatable {
    /// From its beginning to its end.
    public let range: Range<Int64>
    /// It had not ended when the recording did.
    public let isUnfinished: Bool
    /// How many frames begin in it.
    public let frames: Int
    /// How many of them were late.
    public let hitches: Int
    /// Their lateness and active time.
    public let part: RatioSpread.Part
  }

  /// The name.
  public let name: String
  /// The activities, by their beginnings.
  public let occurrences: [Occurrence]
  /// The frames that are in one of them, each once.
  public let frames: Int
  /// How many of them were late.
  public let hitches: Int
  /// Over all of them and from one to the other.
  public let spread: RatioSpread

  /// The activities that concern a series, by name: the first that begins comes first.
  /// O((activities + frames) · log).
  static func all(of judged: JudgedFrames, in trace: Trace) -> [ActivityFigures] {
    let activities = trace.activities(of: judged.series).sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    guard !activities.isEmpty else { return [] }
    let sums = FrameSums(judged.frames)
    var order: [NameID] = []
    var byName: [NameID: [Trace.Activity]] = [:]
    for activity in activities {
      if byName[activity.name] == nil { order.append(activity.name) }
      byName[activity.name, default: []].append(activity)
    }
    return order.map { name in
      ActivityFigures(name: trace.names[name], byName[name] ?? [], sums)
    }
  }

  private init(name: String, _ activities: [Trace.Activity], _ sums: FrameSums) {
    self.name = name
    occurrences = activities.map { activity in
      let sum = sums.sum(in: activity.range)
      return Occurrence(
        range: activity.range, isUnfinished: activity.isUnfinished, frames: sum.frames,
        hitches: sum.hitches, part: sum.part)
    }
    let apart = activities.map(\.range).apart.map { sums.sum(in: $0) }
    frames = apart.reduce(0) { $0 + $1.frames }
    hitches = apart.reduce(0) { $0 + $1.hitches }
    spread = RatioSpread(
      occurrences.map(\.part),
      pooled: apart.reduce(RatioSpread.Part(hitchTime: 0, activeTime: 0)) { $0 + $1.part })
  }
}

extension Trace {
  /// The activities that concern a series: those of all series too.
  public func activities(of series: FrameSeries) -> [Activity] {
    activities.filter { activity in
      guard let index = activity.series else { return true }
      return frameSeries.indices.contains(index) && frameSeries[index].name == series.name
    }
  }
}
