/// Numbers as a person reads them. Integers in, decimal text out: the same on every machine.
package enum Figure {
  /// Nanoseconds as milliseconds: `16.7`.
  package static func milliseconds(_ nanoseconds: Int64, decimals: Int = 1) -> String {
    decimal(rounded(nanoseconds, to: powerOfTen(6 - decimals)), decimals: decimals)
  }

  /// Nanoseconds as seconds: `37.6`.
  package static func seconds(_ nanoseconds: Int64, decimals: Int = 1) -> String {
    decimal(rounded(nanoseconds, to: powerOfTen(9 - decimals)), decimals: decimals)
  }

  /// A length of time in the unit that suits it: `12 ns`, `3.4 µs`, `16.7 ms`, `37.6 s`.
  package static func duration(_ nanoseconds: Int64) -> String {
    switch nanoseconds.magnitude {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<999_950: decimal(rounded(nanoseconds, to: 100), decimals: 1) + " µs"
    case ..<999_950_000: milliseconds(nanoseconds) + " ms"
    default: seconds(nanoseconds) + " s"
    }
  }

  /// A ratio in ms/s: `25.41`.
  package static func ratio(_ millisecondsPerSecond: Double) -> String {
    decimal(hundredths(millisecondsPerSecond), decimals: 2)
  }

  /// A ratio in hundredths, as it is shown.
  package static func hundredths(_ value: Double) -> Int64 {
    Int64(exactly: (value * 100).rounded()) ?? (value < 0 ? .min : .max)
  }

  /// How many times as much: `7.6x`, `57x`.
  package static func factor(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "many x" }
    return value < 9.95
      ? decimal(Int64((value * 10).rounded()), decimals: 1) + "x"
      : count(Int64(value.rounded())) + "x"
  }

  /// A mean number of calls: `3`, `0.25`.
  package static func calls(_ value: Double) -> String {
    let hundredths = hundredths(value)
    if hundredths % 100 == 0 { return count(hundredths / 100) }
    return hundredths < 1_000
      ? decimal(hundredths, decimals: 2)
      : decimal(rounded(hundredths, to: 10), decimals: 1)
  }

  /// A mean number of calls, with the word for it: `1 call`, `0.25 calls`.
  package static func calls(_ value: Double, _ singular: String) -> String {
    let number = calls(value)
    return "\(number) \(number == "1" ? singular : singular + "s")"
  }

  /// A part of a whole as whole hundredths of it: `38`.
  package static func percent(_ part: Double) -> Int64 { hundredths(part) }

  /// A count with its thousands apart: `12,345`.
  package static func count(_ value: some BinaryInteger) -> String {
    let digits = String(value.magnitude)
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A counter's value: whole where it is whole.
  package static func value(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return count(whole) }
    return value.description
  }

  /// A refresh interval as its rate: `60`, `59.94`.
  package static func hertz(_ interval: Int64) -> String {
    guard interval > 0 else { return "?" }
    let hundredths = rounded(100_000_000_000, to: interval)
    // Timers of 16.667 ms are told as 60, not as 59.999.
    let whole = rounded(hundredths, to: 100)
    if (hundredths - whole * 100).magnitude <= 2 { return String(whole) }
    return decimal(hundredths, decimals: 2)
  }

  /// How many of something, with the word for it: `1 frame`, `2 frames`.
  package static func count(
    _ value: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// An integer that counts 10⁻ᵈ: `decimal(2541, decimals: 2)` is `25.41`.
  package static func decimal(_ value: Int64, decimals: Int) -> String {
    let sign = value < 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(value.magnitude) }
    let unit = powerOfTen(decimals).magnitude
    let fraction = String(value.magnitude % unit)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(value.magnitude / unit).\(zeros)\(fraction)"
  }

  /// `value / unit`, halves away from zero.
  package static func rounded(_ value: Int64, to unit: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
    guard remainder.magnitude >= unit.magnitude - remainder.magnitude else { return quotient }
    return quotient + (value < 0 ? -1 : 1)
  }

  private static func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

/// `whole` units shared out in proportion to `parts`, so that the shown lines add up to the shown
/// total: what is left after rounding down goes to the largest remainders, the first of equals.
///
/// Parts are not negative. Without any, or without a sum, nothing is shared out.
package func shares(of whole: Int64, among parts: [Int64]) -> [Int64] {
  let total = parts.reduce(into: UInt64(0)) { $0 += UInt64($1) }
  guard total > 0, whole > 0 else { return parts.map { _ in 0 } }
  let divided = parts.map { part in
    total.dividingFullWidth(UInt64(part).multipliedFullWidth(by: UInt64(whole)))
  }
  var result = divided.map { Int64($0.quotient) }
  let missing = Int(whole - result.reduce(0, +))
  let order = divided.indices.sorted {
    (divided[$1].remainder, $0) < (divided[$0].remainder, $1)
  }
  for index in order.prefix(missing) { result[index] += 1 }
  return result
}
