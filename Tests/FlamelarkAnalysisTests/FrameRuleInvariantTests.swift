import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// What holds of the rules of others on random loops, and that they are what their definitions say.
@Suite struct FrameRuleInvariantTests {
  static let seeds = Array<UInt64>(1...1000)

  private func value(_ name: String, _ outcome: FrameRule.Outcome) -> Double? {
    outcome.figures.first { $0.name == name }?.value
  }

  private func isNear(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) < 1e-6
  }

  @Test(arguments: seeds) func theRulesAreThoseOfTheirDefinitions(seed: UInt64) throws {
    let random = try RandomFrames(seed: seed)
    let frames = random.judged
    let definition = RuleByDefinition(frames, in: random.trace)
    let name = "\(frames.series.mode), seed \(seed)"

    for multiplier in [1, 1.5, 2] {
      let outcome = JankStatsRule(multiplier: multiplier).apply(to: frames)
      #expect(outcome.badFrames == definition.jankStats(multiplier: multiplier), "\(name)")
    }
    let overrun = FrameRule.frameOverrun.apply(to: frames)
    #expect(overrun.judged == definition.overruns().count, "\(name)")
    #expect(overrun.badFrames.count == definition.overruns().count { $0 > 1e-7 }, "\(name)")
    for percent in [50, 90, 95, 99] {
      #expect(
        isNear(
          value("frameOverrunMs P\(percent)", overrun), definition.percentile(Double(percent))),
        "P\(percent), \(name)")
    }
    let sentry = FrameRule.sentry.apply(to: frames)
    let slow = definition.sentry()
    #expect(sentry.judged == definition.callbacks().count, "\(name)")
    #expect(sentry.classes.map(\.frames) == [slow.slow, slow.frozen], "\(name)")
    #expect(isNear(value("frames_delay", sentry), slow.delay), "\(name)")
    let perfDog = FrameRule.perfDog.apply(to: frames)
    let jank = definition.perfDog()
    #expect(perfDog.judged == definition.shows().count, "\(name)")
    #expect(perfDog.classes.map(\.frames) == [jank.jank, jank.big], "\(name)")
    #expect(isNear(value("Stutter", perfDog), jank.stutter), "\(name)")
    #expect(FrameRule.unreal.apply(to: frames).badFrames == definition.unreal(), "\(name)")
    #expect(FrameRule.capFrameX.apply(to: frames).badFrames == definition.capFrameX(), "\(name)")
  }

  /// Of all loops together, so that no rule is only compared where it says nothing.
  @Test func theLoopsHaveBadFramesOfEveryClassInEveryMode() throws {
    var seen: [String: Int] = [:]
    for seed in Self.seeds {
      let frames = try RandomFrames(seed: seed).judged
      for rule in FrameRule.allCases {
        for item in rule.apply(to: frames).classes {
          seen["\(frames.series.mode) \(rule) \(item.name)", default: 0] += item.count
        }
      }
    }
    #expect(seen.count == 4 * 8)
    #expect(seen.filter { $0.value < 20 } == [:])
  }

  private func check(_ outcome: FrameRule.Outcome, _ frames: JudgedFrames, _ comment: String) {
    let numbers = Set(frames.frames.map(\.number))
    let bad = outcome.badFrames
    #expect(bad == bad.sorted() && Set(bad).count == bad.count, "\(comment)")
    #expect(numbers.isSuperset(of: bad), "\(comment)")
    #expect(bad.count <= outcome.judged && outcome.judged <= frames.frames.count, "\(comment)")
    let whole = outcome.classes.filter { $0.partOf == nil }
    #expect(whole.reduce(0) { $0 + $1.count } == bad.count, "\(comment)")
    for item in outcome.classes {
      guard let other = item.partOf else { continue }
      let around = Set(outcome.classes.filter { $0.name == other }.flatMap(\.frames))
      #expect(around.isSuperset(of: item.frames), "\(comment)")
    }
    for figure in outcome.figures {
      guard let value = figure.value else { continue }
      #expect(value.isFinite, "\(figure.name), \(comment)")
      // Time that was left is an overrun below 0.
      if !figure.name.hasPrefix("frameOverrunMs") {
        #expect(value >= 0, "\(figure.name), \(comment)")
      }
      if figure.unit == .percent, figure.name != "PercentSpentHitching" {
        #expect(value <= 100, "\(figure.name), \(comment)")
      }
    }
  }

  @Test(arguments: seeds) func nothingIsNegativeAndNoFrameIsBadTwice(seed: UInt64) throws {
    let frames = try RandomFrames(seed: seed).judged
    for rule in FrameRule.allCases {
      check(rule.apply(to: frames), frames, "\(rule), seed \(seed)")
    }
  }

  @Test(arguments: seeds) func aSelectionOfEverythingIsTheWhole(seed: UInt64) throws {
    let frames = try RandomFrames(seed: seed).judged
    let part = frames.within([.min..<(.max)])
    for rule in FrameRule.allCases {
      #expect(rule.apply(to: part) == rule.apply(to: frames), "\(rule), seed \(seed)")
    }
  }

  @Test(arguments: seeds) func aPartOfTheTimeIsJudgedWithoutTheRest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let frames = try RandomFrames(seed: seed).judged
    guard frames.frames.count > 1 else { return }
    let begins = frames.frames.map(\.window.lowerBound).sorted()
    let from = begins.randomElement(using: &random) ?? 0
    let to = from + Int64.random(in: 1...2_000_000_000, using: &random)
    let part = frames.within([from..<to])
    for rule in FrameRule.allCases {
      let outcome = rule.apply(to: part)
      check(outcome, part, "\(rule), seed \(seed)")
      #expect(outcome.judged <= rule.apply(to: frames).judged, "\(rule), seed \(seed)")
    }
  }

  /// Sentry's threshold follows from a rate in whole hertz, so its rule knows how long a second is.
  @Test(arguments: seeds) func timeIsOnlyAUnitWhereThresholdsAreScaledToo(seed: UInt64) throws {
    let whole = try RandomFrames(seed: seed).judged
    let double = try RandomFrames(seed: seed, unit: 2_000).judged
    let pairs: [(FrameRule.Outcome, FrameRule.Outcome)] = [
      (JankStatsRule().apply(to: whole), JankStatsRule().apply(to: double)),
      (FrameOverrunRule().apply(to: whole), FrameOverrunRule().apply(to: double)),
      (
        PerfDogRule().apply(to: whole),
        PerfDogRule(jankThreshold: 168_000_000, bigJankThreshold: 250_000_000).apply(to: double)
      ),
      (
        UnrealRule().apply(to: whole),
        UnrealRule(
          frameTimeThreshold: 120_000_000, deadTime: 400_000_000, targetFrameTime: 67_800_000,
          longestCharted: 2_000_000_000
        ).apply(to: double)
      ),
      (CapFrameXRule().apply(to: whole), CapFrameXRule().apply(to: double)),
    ]
    for (one, other) in pairs {
      let comment = "\(one.rule), seed \(seed)"
      #expect(one.classes == other.classes, "\(comment)")
      for (figure, scaled) in zip(one.figures, other.figures) {
        let factor: Double =
          switch figure.unit {
          case .percent: 1
          case .milliseconds, .seconds: 2
          case .perMinute, .perTenMinutes: 0.5
          }
        #expect(isNear(figure.value.map { $0 * factor }, scaled.value), "\(comment)")
      }
    }
  }

  @Test(arguments: seeds) func oneRuleIsStricterThanAnother(seed: UInt64) throws {
    let frames = try RandomFrames(seed: seed).judged
    let overrun = Set(FrameRule.frameOverrun.apply(to: frames).badFrames)
    var last = overrun
    for multiplier in [1, 1.25, 2, 8] {
      let jank = Set(JankStatsRule(multiplier: multiplier).apply(to: frames).badFrames)
      #expect(last.isSuperset(of: jank), "\(multiplier), seed \(seed)")
      last = jank
    }
    let percentiles = FrameRule.frameOverrun.apply(to: frames).figures.prefix(4).compactMap(\.value)
    #expect(percentiles == percentiles.sorted(), "seed \(seed)")
    let stutter = FrameRule.capFrameX.apply(to: frames)
    // So many can't be above 2.5 times the average.
    #expect(
      stutter.badFrames.isEmpty || Double(stutter.badFrames.count) * 2.5 < Double(stutter.judged),
      "seed \(seed)")
    let sentry = FrameRule.sentry.apply(to: frames)
    let times = frames.frameTimes()
    let total = times.reduce(0) { $0 + Double($1.elapsed) / 1e9 }
    #expect(value("frames_delay", sentry) ?? 0 <= total, "seed \(seed)")
    let hitches = Set(FrameRule.unreal.apply(to: frames).badFrames)
    let ends = times.filter { hitches.contains($0.number) }.map(\.end)
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $1 - $0 >= 200_000_000 }, "seed \(seed)")
  }

  /// Files hold what anybody may have written.
  @Test(arguments: seeds) func noTimesStopTheRules(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func time() -> Int64 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .min
      case 1: .max
      case 2: Int64.random(in: Int64.min...Int64.max, using: &random)
      case 3: (1 << 60) * (Bool.random(using: &random) ? 1 : -1)
      default: Int64.random(in: -1000...2_000_000_000, using: &random)
      }
    }
    let modes: [Trace.FrameSeries.Mode] = [.presented, .displayLink, .marks, .spans]
    var series = Trace.FrameSeries(
      name: "absurd", mode: modes.randomElement(using: &random) ?? .marks)
    for number in 0..<20 {
      var frame = Trace.Frame(number: number, timestamp: time(), track: 0)
      if Bool.random(using: &random) { frame.begin = time() }
      if Bool.random(using: &random) { frame.target = time() }
      if Bool.random(using: &random) { frame.interval = time() }
      if Bool.random(using: &random) { frame.end = time() }
      if Bool.random(using: &random) { frame.presented = time() }
      frame.isDiscarded = Bool.random(using: &random)
      frame.isRequested = [nil, true, false].randomElement(using: &random) ?? nil
      frame.beginsSegment = Int.random(in: 0..<5, using: &random) == 0
      if Int.random(in: 0..<9, using: &random) == 0 {
        frame.span = Int.random(in: -1...9, using: &random)
      }
      series.frames.append(frame)
      if Int.random(in: 0..<4, using: &random) == 0 {
        let begin = time()
        series.rests.append(
          Trace.Rest(kind: .noFrameNeeded, frame: number, range: begin..<max(begin, time())))
      }
    }
    let refresh = Bool.random(using: &random) ? time() : nil
    let frames = JudgedFrames(of: series, in: Trace(), refresh: refresh)
    for rule in FrameRule.allCases {
      check(rule.apply(to: frames), frames, "\(rule), \(series.mode), seed \(seed)")
    }
    for multiplier in [-1e300, 0, 1e300] {
      let outcome = JankStatsRule(multiplier: multiplier).apply(to: frames)
      check(outcome, frames, "\(multiplier), seed \(seed)")
    }
  }
}
