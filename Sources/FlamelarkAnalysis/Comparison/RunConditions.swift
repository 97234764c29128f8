internal import FlamelarkTrace

/// Under which conditions a run was recorded: what must be the same for its figures to be comparable.
public struct RunConditions: Sendable, Equatable {
  /// The name of its frame series.
  public let series: String
  /// How its frames were told.
  public let mode: String
  /// How many cores the machine had; nil: not known.
  public let cores: String?
  /// How the program was built, "debug" or "release"; nil: not known.
  public let build: String?
  /// The model of the processor, nil: not known.
  public let processor: String?
  /// What chooses the frequency of the cores, nil: not known.
  public let governor: String?
  /// What was left out while recording, in words.
  public let filters: String
  /// The intervals of its frames whose targets were given, and how many have each; in nanoseconds,
  /// ascending.
  public let rates: [Rate]

  /// An interval of frames.
  public struct Rate: Sendable, Equatable {
    /// In nanoseconds.
    public let interval: Int64
    /// How many frames have it.
    public let frames: Int
  }

  init(of trace: Trace, _ judged: JudgedFrames) {
    let properties = trace.source.properties
    series = judged.series.name
    mode = judged.series.mode.rawValue
    cores = properties["cores"]
    build = properties["build"]
    processor = properties["processor"]
    governor = properties["governor"]
    filters = Self.filters(of: trace.source)
    let known = judged.frames.filter { $0.isActive && !$0.targetIsEstimated }.map(\.interval)
    let buckets = RateBuckets(known)
    var counts = Array(repeating: 0, count: buckets.intervals.count)
    for interval in known { counts[buckets.bucket(of: interval)] += 1 }
    rates = zip(buckets.intervals, counts).map { Rate(interval: $0, frames: $1) }
  }

  private static func filters(of source: Trace.Source) -> String {
    func words(_ depth: Int?, _ duration: Int64?) -> String {
      [depth.map { "depth \($0)" }, duration.map { "at least \($0) ns" }]
        .compactMap(\.self).joined(separator: ", ")
    }
    var parts = source.filters.map { filter in
      let exceptions = filter.exceptions.map { exception in
        "\(exception.subject.rawValue) \(exception.text): "
          + words(exception.maximumDepth, exception.minimumDuration)
      }
      return ([words(filter.maximumDepth, filter.minimumDuration)] + exceptions)
        .joined(separator: "; ")
    }
    if parts.isEmpty {
      let duration = source.minimumDuration
      parts = [words(source.maximumDepth, duration > 0 ? duration : nil)]
    }
    // Changes while a program runs come at other times in each run.
    var known: Set<String> = []
    return parts.filter { known.insert($0).inserted }.joined(separator: "; then ")
  }
}

/// What differs between the conditions of two sets of runs.
public struct ConditionMismatch: Sendable, Equatable {
  /// What can differ.
  public enum Subject: String, Sendable, CaseIterable {
    /// The names of the frame series.
    case series = "frame series"
    /// How frames are told.
    case mode = "mode of the frames"
    /// Refresh rates.
    case rates = "refresh rates"
    /// The number of cores.
    case cores = "core count"
    /// Debug or release.
    case build = "build mode"
    /// What was left out while recording.
    case filters
    /// The model of the processor.
    case processor
    /// What chooses the frequency of the cores.
    case governor

    /// Whether figures are not comparable where it differs.
    public var isGrave: Bool { self != .processor && self != .governor }
  }

  /// What differs.
  public let subject: Subject
  /// What the first set has; "not known" among them where a trace doesn't say.
  public let a: [String]
  /// What the second set has.
  public let b: [String]
  /// Some traces don't say: whether it differs is not known.
  public let isUnknown: Bool
}

extension ConditionMismatch {
  /// What differs between two sets, or within one of them.
  static func all(_ a: [RunConditions], _ b: [RunConditions]) -> [ConditionMismatch] {
    Subject.allCases.compactMap { subject in
      if subject == .rates { return rates(a, b) }
      let (first, second) = (values(subject, a), values(subject, b))
      let known = (first + second).compactMap(\.self)
      guard Set(first + second).count > 1 || known.isEmpty && subject.isGrave else { return nil }
      let isUnknown = Set(known).count < 2
      // Of what no trace says, and does no harm, nothing is told.
      if isUnknown, !subject.isGrave { return nil }
      return ConditionMismatch(
        subject: subject, a: words(first), b: words(second), isUnknown: isUnknown)
    }
  }

  private static func words(_ values: [String?]) -> [String] {
    Set(values.map { $0 ?? "not known" }).sorted()
  }

  private static func values(_ subject: Subject, _ runs: [RunConditions]) -> [String?] {
    runs.map { run in
      switch subject {
      case .series: run.series
      case .mode: run.mode
      case .rates: nil
      case .cores: run.cores
      case .build: run.build
      case .filters: run.filters.isEmpty ? "none" : run.filters
      case .processor: run.processor
      case .governor: run.governor
      }
    }
  }

  /// A rate of at least a twentieth of the frames of a set that no twentieth of the other has, within 6 %.
  private static func rates(_ a: [RunConditions], _ b: [RunConditions]) -> ConditionMismatch? {
    let (first, second) = (common(a), common(b))
    if first.isEmpty || second.isEmpty {
      guard first.isEmpty != second.isEmpty else { return nil }
      return ConditionMismatch(
        subject: .rates, a: hertz(first), b: hertz(second), isUnknown: true)
    }
    func has(_ intervals: [Int64], _ interval: Int64) -> Bool {
      intervals.contains { ($0.minus(interval)).magnitude <= UInt64(max(0, interval) / 16) }
    }
    let isSame = first.allSatisfy { has(second, $0) } && second.allSatisfy { has(first, $0) }
    return isSame
      ? nil
      : ConditionMismatch(
        subject: .rates, a: hertz(first), b: hertz(second), isUnknown: false)
  }

  private static func common(_ runs: [RunConditions]) -> [Int64] {
    let rates = runs.flatMap(\.rates)
    let buckets = RateBuckets(rates.map(\.interval))
    var counts = Array(repeating: 0, count: buckets.intervals.count)
    for rate in rates { counts[buckets.bucket(of: rate.interval)] += rate.frames }
    let all = counts.reduce(0, +)
    return buckets.intervals.indices.filter { counts[$0] * 20 >= all && counts[$0] > 0 }
      .map { buckets.intervals[$0] }
  }

  private static func hertz(_ intervals: [Int64]) -> [String] {
    intervals.reversed().map { interval in
      interval > 0 ? "\((1_000_000_000 + interval / 2) / interval) Hz" : "?"
    }
  }
}
