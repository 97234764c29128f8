/// Student's t distribution.
///
/// For whole degrees of freedom a finite sum, exact but for rounding; between two of them their
/// probabilities are interpolated in 1/ν, from 400 on they count as 400. Off by less than 0.001 for
/// ν ≥ 2. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
enum StudentT {
  /// The probability that a value is further from 0 than `t`.
  static func beyond(_ t: Double, degrees: Double) -> Double {
    guard t.isFinite else { return t.isNaN ? .nan : 0 }
    let degrees = min(max(degrees, 1), 400)
    let lower = degrees.rounded(.down)
    let below = within(t.magnitude, degrees: Int(lower))
    guard degrees > lower else { return max(0, 1 - below) }
    let above = within(t.magnitude, degrees: Int(lower) + 1)
    let part = (1 / lower - 1 / degrees) / (1 / lower - 1 / (lower + 1))
    return max(0, 1 - (below + (above - below) * part))
  }

  /// How far from 0 a value is exceeded with a probability.
  static func quantile(beyond probability: Double, degrees: Double) -> Double {
    guard probability < 1 else { return 0 }
    var (low, high) = (0.0, 1.0)
    while high < 1e12, beyond(high, degrees: degrees) > probability { high *= 2 }
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if beyond(middle, degrees: degrees) > probability { low = middle } else { high = middle }
    }
    return high
  }

  /// The probability that a value is not further from 0 than `t`.
  private static func within(_ t: Double, degrees: Int) -> Double {
    let v = Double(degrees)
    let cosSquared = v / (v + t * t)
    let sine = t / (v + t * t).squareRoot()
    let isOdd = degrees % 2 == 1
    var sum = 1.0
    var term = 1.0
    var step = 1
    while 2 * step <= degrees - (isOdd ? 3 : 2) {
      let j = Double(step)
      term *= (isOdd ? 2 * j / (2 * j + 1) : (2 * j - 1) / (2 * j)) * cosSquared
      sum += term
      step += 1
    }
    guard isOdd else { return sine * sum }
    let angle = arctangent(t / v.squareRoot())
    return 2 / Double.pi * (angle + (degrees > 1 ? sine * cosSquared.squareRoot() * sum : 0))
  }

  /// The angle of a slope that is not negative: halved until the series is short.
  private static func arctangent(_ slope: Double) -> Double {
    guard slope <= 1 else { return Double.pi / 2 - arctangent(1 / slope) }
    var x = slope
    for _ in 0..<3 { x /= 1 + (1 + x * x).squareRoot() }
    var power = x
    var sum = 0.0
    for term in 0..<12 {
      sum += (term % 2 == 0 ? power : -power) / Double(2 * term + 1)
      power *= x * x
    }
    return 8 * sum
  }
}
