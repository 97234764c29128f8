internal import FlamelarkTrace

/// The frames of a series in groups that are compared within: of one rate and one tag.
struct FrameStrata {
  /// Which frames say what is normal in a group.
  enum Source: Int {
    /// Its own good frames: at least 30.
    case own
    /// The good frames of the whole series: it has too few of its own.
    case series
    /// The fastest quarter of its own frames: the whole series has hardly a good one.
    case fastestOwn
    /// The fastest quarter of the whole series.
    case fastestOfSeries
  }

  struct Group {
    var bucket: Int
    var tag: NameID?
    /// The indices of its frames, without those whose window is empty.
    var frames: [Int] = []
    /// Those that say what is normal.
    var good: [Int] = []
    /// Those that were late.
    var late: [Int] = []
    var source = Source.own
  }

  private static let leastOwn = 30
  private static let leastOfSeries = 8

  /// By rate, then tag.
  private(set) var groups: [Group] = []
  /// The indices of all good frames.
  private(set) var good: [Int] = []
  private var active: [Int] = []

  init(of judged: JudgedFrames) {
    let isNearHitch = Self.nearHitches(judged.frames)
    var groupOf: [Key: Int] = [:]
    for (index, frame) in judged.frames.enumerated() where frame.isActive {
      let key = Key(
        bucket: judged.buckets.bucket(of: frame.interval), tag: judged.series.frames[index].tag)
      let group = groupOf[key] ?? groups.count
      if group == groups.count {
        groupOf[key] = group
        groups.append(Group(bucket: key.bucket, tag: key.tag))
      }
      if frame.lateness > 0 { groups[group].late.append(index) }
      if frame.window.isEmpty { continue }
      active.append(index)
      groups[group].frames.append(index)
      if frame.lateness == 0 && !isNearHitch[index] && !frame.isBehindTarget {
        good.append(index)
        groups[group].good.append(index)
      }
    }
    for index in groups.indices { groups[index].source = source(of: groups[index]) }
    groups.sort { ($0.bucket, $0.tag?.index ?? .max) < ($1.bucket, $1.tag?.index ?? .max) }
  }

  private struct Key: Hashable {
    var bucket: Int
    var tag: NameID?
  }

  private func source(of group: Group) -> Source {
    if group.good.count >= Self.leastOwn { return .own }
    if good.count >= Self.leastOfSeries { return .series }
    return group.frames.count >= 4 * Self.leastOfSeries ? .fastestOwn : .fastestOfSeries
  }

  /// So many frames say what is normal: their mean is within a hundredth of a standard deviation of that
  /// of any number more.
  private static let mostNormal = 8192

  /// The frames whose mean is normal for a group; of very many, some at even distances.
  func normalFrames(of group: Group, in partition: FramePartition) -> [Int] {
    switch group.source {
    case .own: Self.some(of: group.good)
    case .series: Self.some(of: good)
    case .fastestOwn: Self.some(of: Self.fastestQuarter(of: group.frames, in: partition))
    case .fastestOfSeries: Self.some(of: Self.fastestQuarter(of: active, in: partition))
    }
  }

  /// The frames that are looked into: late ones, those before them in a pipeline, and those that say what
  /// is normal. nil: all, since their times have to be known to choose among them.
  func framesToDivide(of judged: JudgedFrames) -> [Bool]? {
    var isAsked = Array(repeating: false, count: judged.frames.count)
    for group in groups where !group.late.isEmpty {
      guard group.source == .own || group.source == .series else { return nil }
      for frame in group.late {
        let first = frame - judged.frames[frame].placesBack
        let before = judged.series.isPipeline ? PipelineModel.mostFrames : 0
        for index in max(0, first - before)...frame { isAsked[index] = true }
      }
      for frame in Self.some(of: group.good) { isAsked[frame] = true }
    }
    for frame in someGood { isAsked[frame] = true }
    return isAsked
  }

  /// Good frames of the series; of very many, some at even distances.
  var someGood: [Int] { Self.some(of: good) }

  private static func some(of frames: [Int]) -> [Int] {
    guard frames.count > mostNormal else { return frames }
    return (0..<mostNormal).map { frames[$0 * frames.count / mostNormal] }
  }

  /// The frames whose mean is usual for a group: the good ones, and all where there are hardly any.
  func usualFrames(of group: Group) -> [Int] {
    switch group.source {
    case .own: Self.some(of: group.good)
    case .series: Self.some(of: good)
    case .fastestOwn: Self.some(of: group.frames)
    case .fastestOfSeries: Self.some(of: active)
    }
  }

  /// How many frames ``normalFrames(of:in:)`` gives.
  func normalCount(of group: Group) -> Int {
    switch group.source {
    case .own: group.good.count
    case .series: good.count
    case .fastestOwn: Self.quarter(of: group.frames.count)
    case .fastestOfSeries: Self.quarter(of: active.count)
    }
  }

  private static func quarter(of count: Int) -> Int { min(count, max(1, count / 4)) }

  private static func fastestQuarter(of frames: [Int], in partition: FramePartition) -> [Int] {
    let byTime = frames.map { (partition.busyTime(of: $0), $0) }.sorted(by: <)
    return byTime.prefix(quarter(of: frames.count)).map { $0.1 }
  }

  /// Whether a frame is late, or the one before a late one, or one of the two behind it.
  private static func nearHitches(_ frames: [JudgedFrames.Frame]) -> [Bool] {
    var isNear = Array(repeating: false, count: frames.count)
    for (index, frame) in frames.enumerated() where frame.lateness > 0 {
      for near in max(0, index - 1)...min(frames.count - 1, index + 2) { isNear[near] = true }
    }
    return isNear
  }
}
