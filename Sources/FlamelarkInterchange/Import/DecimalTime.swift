/// A time as a file writes it: microseconds in decimal text, kept without rounding.
///
/// A Double doesn't hold microseconds since 1970 with a nanosecond fraction. Begin plus duration
/// is added before it is rounded, so that an end and the begin written for the same moment stay
/// the same.
struct DecimalTime: Equatable {
  /// Whole nanoseconds, rounded down.
  var whole: Int64 = 0
  /// What is above them, in 10⁻¹⁸ ns.
  var rest: UInt64 = 0
  var state = State.missing
  /// It was written without a fraction or an exponent.
  var isInteger = false
  /// It was written finer than nanoseconds.
  var isFine: Bool { rest != 0 }

  enum State: UInt8 { case missing, valid, notANumber, outOfRange }

  /// Times beyond ± 146 years are none: the difference of two must fit.
  static let limit: Int64 = 1 << 62
  static let restUnit: UInt64 = 1_000_000_000_000_000_000

  /// Whole nanoseconds, halves up.
  var rounded: Int64 { rest >= Self.restUnit / 2 ? whole + 1 : whole }

  /// The sum; nil: out of range.
  static func + (a: Self, b: Self) -> Self? {
    var sum = a
    sum.rest = a.rest + b.rest
    sum.whole = a.whole + b.whole
    if sum.rest >= restUnit {
      sum.rest -= restUnit
      sum.whole += 1
    }
    guard sum.whole.magnitude < limit - 1 else { return nil }
    return sum
  }
}

extension ScanText {
  /// Reads a number of microseconds. Gives the position behind it; nil: there is none.
  @inline(__always) func time(at position: Int, into time: inout DecimalTime) -> Int? {
    var p = position
    let isNegative = byte(p) == UInt8(ascii: "-")
    if isNegative { p &+= 1 }
    let first = p
    var value: UInt64 = 0
    while true {
      let digit = byte(p) &- UInt8(ascii: "0")
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      p &+= 1
    }
    guard p != first, p &- first <= 15 else { return exactTime(at: position, into: &time) }
    value &*= 1000
    time.isInteger = byte(p) != UInt8(ascii: ".")
    if !time.isInteger {
      p &+= 1
      var unit: UInt64 = 100
      while true {
        let digit = byte(p) &- UInt8(ascii: "0")
        if digit > 9 { break }
        if unit == 0 { return exactTime(at: position, into: &time) }
        value &+= UInt64(digit) &* unit
        unit /= 10
        p &+= 1
      }
    }
    if byte(p) | 0x20 == UInt8(ascii: "e") { return exactTime(at: position, into: &time) }
    let signed = Int64(truncatingIfNeeded: value)
    time.whole = isNegative ? 0 &- signed : signed
    time.rest = 0
    time.state = .valid
    return p
  }

  /// The same for any number of digits and for exponents. `point` is what parts the fraction.
  @inline(never) func exactTime(
    at position: Int, into time: inout DecimalTime, point: UInt8 = UInt8(ascii: ".")
  ) -> Int? {
    var p = position
    let isNegative = byte(p) == UInt8(ascii: "-")
    if isNegative || byte(p) == UInt8(ascii: "+") { p += 1 }
    let first = p
    var wholeDigits = 0
    var digits = 0
    while byte(p) &- UInt8(ascii: "0") <= 9 { p += 1 }
    wholeDigits = p - first
    digits = wholeDigits
    time.isInteger = true
    if byte(p) == point {
      p += 1
      time.isInteger = false
      let fraction = p
      while byte(p) &- UInt8(ascii: "0") <= 9 { p += 1 }
      digits += p - fraction
    }
    guard digits > 0 else { return nil }
    let lastDigit = p
    var exponent = 0
    if byte(p) | 0x20 == UInt8(ascii: "e") {
      time.isInteger = false
      var q = p + 1
      let isDown = byte(q) == UInt8(ascii: "-")
      if isDown || byte(q) == UInt8(ascii: "+") { q += 1 }
      let firstExponentDigit = q
      while byte(q) &- UInt8(ascii: "0") <= 9 {
        // Large enough for every result to be zero or out of range, whatever the digits.
        if exponent < 1 << 48 { exponent = exponent * 10 + Int(byte(q) &- UInt8(ascii: "0")) }
        q += 1
      }
      guard q > firstExponentDigit else { return nil }
      if isDown { exponent = -exponent }
      p = q
    }
    compute(
      from: first, to: lastDigit, power: wholeDigits - 1 + exponent + 3, isNegative: isNegative,
      into: &time)
    return p
  }

  /// Sums up digits, of which the first counts 10^`power` nanoseconds.
  private func compute(
    from first: Int, to end: Int, power: Int, isNegative: Bool, into time: inout DecimalTime
  ) {
    var whole: Int64 = 0
    var rest: UInt64 = 0
    var power = power
    var restUnit = DecimalTime.restUnit
    // A first digit far behind the point: its unit is below everything kept.
    if power < -1 {
      for _ in 0..<min(-1 - power, 19) { restUnit /= 10 }
    }
    time.state = .outOfRange
    time.whole = 0
    time.rest = 0
    for position in first..<end {
      let digit = byte(position) &- UInt8(ascii: "0")
      // The point.
      if digit > 9 { continue }
      if power >= 0 {
        guard whole <= (DecimalTime.limit - 2 - Int64(digit)) / 10 else { return }
        whole = whole * 10 + Int64(digit)
      } else {
        restUnit /= 10
        rest += UInt64(digit) * restUnit
      }
      power -= 1
    }
    // Digits that were not written are zeros.
    while power >= 0, whole != 0 {
      guard whole <= (DecimalTime.limit - 2) / 10 else { return }
      whole *= 10
      power -= 1
    }
    if isNegative {
      time.whole = rest > 0 ? -whole - 1 : -whole
      time.rest = rest > 0 ? DecimalTime.restUnit - rest : 0
    } else {
      time.whole = whole
      time.rest = rest
    }
    time.state = .valid
  }
}
