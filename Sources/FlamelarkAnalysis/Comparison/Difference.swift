/// How far a figure of one set is from that of another, and how sure that is.
///
/// Intervals are Welch's: the variances of the sets may differ. Source: Welch, Biometrika 34 (1947);
/// degrees of freedom by Satterthwaite, Biometrics Bulletin 2 (1946).
public struct Difference: Sendable, Equatable {
  /// The part of comparisons of a thing with itself in which it may be said to have changed, up or down.
  ///
  /// It is below 5 % by so much that also of a thousand drawn from real runs less than fifty do.
  public static let level = 0.03
  /// How often the least change that is told of would be found.
  public static let power = 0.8

  /// The figure of the first set.
  public let a: Double
  /// The figure of the second set.
  public let b: Double
  /// The standard error of ``change``, NaN if not known.
  public let standardError: Double
  /// The degrees of freedom of ``standardError``.
  public let degrees: Double
  private let variances: (a: Double, b: Double)
  /// Further apart they can't be.
  private let greatest: Double

  init(_ a: RatioEstimate, _ b: RatioEstimate, greatest: Double = .infinity) {
    self.greatest = greatest
    self.a = a.value
    self.b = b.value
    variances = (a.variance, b.variance)
    let variance = a.variance + b.variance
    standardError = variance.squareRoot()
    let parts =
      a.variance * a.variance / Double(max(1, a.units - 1))
      + b.variance * b.variance / Double(max(1, b.units - 1))
    degrees = parts > 0 ? variance * variance / parts : Double(max(1, a.units + b.units - 2))
  }

  /// By how much the second is above the first.
  public var change: Double { b - a }

  /// The probability of such a difference, or a greater one, between sets of the same. NaN: not known.
  public var probability: Double {
    guard standardError > 0 else { return standardError.isNaN ? .nan : change == 0 ? 1 : 0 }
    return StudentT.beyond(change / standardError, degrees: degrees)
  }

  /// Where the true change lies, but for a part `level` of all cases; nil: not known.
  public func interval(level: Double = Difference.level) -> ClosedRange<Double>? {
    guard standardError.isFinite else { return nil }
    let reach = StudentT.quantile(beyond: level, degrees: degrees) * standardError
    return max(change - reach, -greatest)...min(change + reach, greatest)
  }

  /// ``change`` as a part of the first, NaN if that is 0.
  public var relativeChange: Double { a > 0 ? change / a : .nan }

  /// The same interval as a part of the first, whose own error is in it; nil if the first may be 0.
  ///
  /// It leaves out 0 where ``interval(level:)`` does. Source: Fieller, Journal of the Royal Statistical
  /// Society B 16 (1954).
  public func relativeInterval(level: Double = Difference.level) -> ClosedRange<Double>? {
    guard standardError.isFinite, a > 0 else { return nil }
    let t = StudentT.quantile(beyond: level, degrees: degrees)
    // Where (b − ρa)² ≤ t²(var b + ρ² var a), ρ is not too far from b / a.
    let square = a * a - t * t * variances.a
    guard square > 0 else { return nil }
    let rest = b * b - t * t * variances.b
    let root = max(0, a * b * (a * b) - square * rest).squareRoot()
    // Nothing gets less than nothing.
    let lower = max((a * b - root) / square - 1, -1)
    return lower...max((a * b + root) / square - 1, lower)
  }

  /// The least change that would have been found in four of five tries, whichever way; NaN: not known.
  ///
  /// Source: Bloom, Evaluation Review 19 (1995), minimum detectable effects.
  public var leastSeen: Double {
    guard standardError.isFinite else { return .nan }
    let found = StudentT.quantile(beyond: 2 * (1 - Self.power), degrees: degrees)
    return (StudentT.quantile(beyond: Self.level, degrees: degrees) + found) * standardError
  }

  /// Equal in all figures.
  public static func == (a: Self, b: Self) -> Bool {
    (a.a, a.b, a.standardError, a.degrees) == (b.a, b.b, b.standardError, b.degrees)
  }
}
