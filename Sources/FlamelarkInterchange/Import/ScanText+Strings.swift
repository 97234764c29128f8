extension ScanText {
  /// The text of a JSON string's bytes, and whether it had to be mended.
  ///
  /// Escapes that JSON doesn't know stay as they are: they come from paths with backslashes. Lone
  /// surrogates and bytes that are not UTF-8 become U+FFFD.
  func string(_ range: Range<Int>) -> (text: String, isMended: Bool) {
    let raw = bytes(range)
    let plain = raw.contains(UInt8(ascii: "\\")) ? unescaped(raw) : (raw, false)
    if let text = String(validating: plain.0, as: UTF8.self) { return (text, plain.1) }
    return (String(decoding: plain.0, as: UTF8.self), true)
  }

  private func unescaped(_ raw: [UInt8]) -> ([UInt8], Bool) {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var isMended = false
    var index = 0
    while index < raw.count {
      guard raw[index] == UInt8(ascii: "\\"), index + 1 < raw.count else {
        result.append(raw[index])
        index += 1
        continue
      }
      let code = raw[index + 1]
      index += 2
      switch code {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(code)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "u"):
        guard let first = codeUnit(raw, at: index) else {
          result += [UInt8(ascii: "\\"), code]
          isMended = true
          continue
        }
        index += 4
        var scalar = Unicode.Scalar(first)
        if UTF16.isLeadSurrogate(first), index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"),
          raw[index + 1] == UInt8(ascii: "u"), let second = codeUnit(raw, at: index + 2),
          UTF16.isTrailSurrogate(second)
        {
          scalar = Unicode.Scalar(
            0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
          index += 6
        }
        if scalar == nil { isMended = true }
        result += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
      default:
        result += [UInt8(ascii: "\\"), code]
        isMended = true
      }
    }
    return (result, isMended)
  }

  private func codeUnit(_ raw: [UInt8], at index: Int) -> UInt16? {
    guard index + 4 <= raw.count else { return nil }
    var value: UInt16 = 0
    for byte in raw[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  /// The number that a literal or a string's bytes are; nil: they are none, or not finite.
  func double(_ range: Range<Int>) -> Double? {
    // Up to 15 digits and a power of ten that a Double holds: one exact operation rounds right.
    var p = range.lowerBound
    let isNegative = p < range.upperBound && byte(p) == UInt8(ascii: "-")
    if isNegative { p += 1 }
    var mantissa = 0
    var digits = 0
    var places = 0
    var isBehindPoint = false
    while p < range.upperBound, digits <= 15 {
      let byte = byte(p)
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else if byte &- UInt8(ascii: "0") <= 9 {
        mantissa = mantissa * 10 + Int(byte - UInt8(ascii: "0"))
        digits += 1
        if isBehindPoint { places += 1 }
      } else {
        break
      }
      p += 1
    }
    if p == range.upperBound, digits > 0, digits <= 15 {
      let value = Double(mantissa) / Self.powersOfTen[places]
      return isNegative ? -value : value
    }
    // Hexadecimal, "inf" and "nan" are numbers for Swift and not for JSON.
    guard range.count <= 400 else { return nil }
    let literal = bytes(range)
    let allowed = Array("+-.eE0123456789".utf8)
    guard literal.allSatisfy(allowed.contains),
      let value = Double(String(decoding: literal, as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
