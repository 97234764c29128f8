/// What hitch ratio is good.
public enum HitchScale: String, Sendable, CaseIterable {
  /// Of scrolling: good below 5 ms/s, critical above 10.
  case scroll
  /// Of all animation: good up to 10 ms/s, critical above 25, to be mended at once above 50.
  case hitches

  /// How good a ratio is.
  public enum Band: String, Sendable {
    /// Hardly anybody notices.
    case good
    /// Some notice.
    case warning
    /// It disturbs.
    case critical
    /// It can hardly be used.
    case immediate
  }

  /// How good a ratio in ms/s is.
  public func band(of ratio: Double) -> Band {
    switch self {
    case .scroll: ratio < 5 ? .good : ratio <= 10 ? .warning : .critical
    case .hitches:
      ratio <= 10 ? .good : ratio <= 25 ? .warning : ratio <= 50 ? .critical : .immediate
    }
  }

  package var text: String {
    switch self {
    case .scroll: "scroll scale: good < 5, critical > 10"
    case .hitches: "hitches scale: good <= 10, critical > 25, immediate > 50"
    }
  }
}
