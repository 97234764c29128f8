/// A rule by which others call frames bad, to compare with their figures.
///
/// None of them changes what Flamelark calls a hitch. `Documentation/FrameRules.md` has each with
/// its source, the choices that its definition leaves, and an example worked by hand.
public enum FrameRule: String, Sendable, CaseIterable {
  /// JankStats of Android's androidx.metrics: longer than twice what was expected.
  case jankStats = "jankstats"
  /// Android's frame overrun, as Macrobenchmark's `frameOverrunMs`: ready after the deadline.
  case frameOverrun = "frame-overrun"
  /// Slow and frozen frames of Sentry's SDK for Apple's systems.
  case sentry
  /// Jank, BigJank and Stutter of PerfDog.
  case perfDog = "perfdog"
  /// Hitches of Unreal Engine's FPS charts.
  case unreal
  /// The stuttering time of CapFrameX.
  case capFrameX = "capframex"

  /// Judges frames by the rule, with the values that its owner uses. O(frames), the percentiles of
  /// ``frameOverrun`` O(frames · log frames).
  public func apply(to frames: JudgedFrames) -> Outcome {
    switch self {
    case .jankStats: JankStatsRule().apply(to: frames)
    case .frameOverrun: FrameOverrunRule().apply(to: frames)
    case .sentry: SentryRule().apply(to: frames)
    case .perfDog: PerfDogRule().apply(to: frames)
    case .unreal: UnrealRule().apply(to: frames)
    case .capFrameX: CapFrameXRule().apply(to: frames)
    }
  }
}
