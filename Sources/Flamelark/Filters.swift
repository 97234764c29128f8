internal import CFlamelark

/// What a recording leaves out, in the units of the hot path: limits for all spans, and for call
/// sites that have their own.
///
/// Not thread-safe; ``Recorder`` holds its lock.
struct Filters {
  /// No span is recorded inside so many others.
  let maximumDepth: Int
  /// No call site has a greater least duration; ticks.
  private(set) var greatestMinimum: UInt64
  /// By call site; nil: what holds for all holds for each.
  let rules: SiteRules?

  private let minimum: UInt64
  private let ticksPerSecond: UInt64
  private var ofName: [String: Recording.Filter] = [:]
  private var ofCategory: [String: Recording.Filter] = [:]

  /// Takes over options. `rules` is the table of a filter that this one follows, whose readers go on
  /// reading it.
  init(_ options: Recording.Options, ticksPerSecond: UInt64, following rules: SiteRules?) {
    self.ticksPerSecond = ticksPerSecond
    maximumDepth = options.maximumDepth
    minimum = Self.ticks(of: options.minimumDuration, ticksPerSecond)
    greatestMinimum = minimum
    self.rules = options.filters.isEmpty ? nil : rules ?? SiteRules()
    for filter in options.filters {
      switch filter.subject {
      case .name(let name): ofName[name] = filter
      case .category(let category): ofCategory[category] = filter
      }
      if let duration = filter.minimumDuration {
        greatestMinimum = max(greatestMinimum, Self.ticks(of: duration, ticksPerSecond))
      }
    }
  }

  /// Decides for a call site that has come up.
  func add(site: UInt32, name: String, category: String) {
    guard let rules else { return }
    let both = [ofName[name], ofCategory[category]]
    let own = both.lazy.compactMap { $0?.minimumDuration }.first
    let depth = both.lazy.compactMap { $0?.maximumDepth }.first
    rules.set(
      fl_rule(
        minimum: own.map { Self.ticks(of: $0, ticksPerSecond) } ?? minimum,
        depth: UInt64(depth ?? 255)),
      ofSite: site)
  }

  private static func ticks(of duration: Duration, _ ticksPerSecond: UInt64) -> UInt64 {
    UInt64(Double(duration.wholeNanoseconds) * (Double(ticksPerSecond) / 1_000_000_000))
  }
}
