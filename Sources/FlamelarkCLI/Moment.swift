/// When something begins or ends: a time after the trace's first event, or a frame.
enum Moment: Equatable {
  case time(Int64)
  case frame(Int)

  /// Reads `1.5s`, `320ms`, `20us`, `5ns`, `f304`, `frame 304`.
  init(_ text: String, of option: Option) throws {
    for prefix in ["frame", "f"] where text.hasPrefix(prefix) {
      let number = text.dropFirst(prefix.count).drop { $0 == " " }
      guard let frame = Int(number), frame >= 0, number.first != "+" else { break }
      self = .frame(frame)
      return
    }
    for (unit, exponent) in [("ms", 6), ("us", 3), ("µs", 3), ("ns", 0), ("s", 9)]
    where text.hasSuffix(unit) {
      guard let time = Self.scaled(text.dropLast(unit.count), by: exponent) else { break }
      self = .time(time)
      return
    }
    throw Complaint(
      "\(option.rawValue) takes a time like 1.5s or 320ms, or a frame like f304, "
        + "but is \(quoted(text))")
  }

  /// A decimal number times a power of ten, exactly, cut off at the point; nil if it is none.
  private static func scaled(_ text: Substring, by exponent: Int) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    let kept = fraction.prefix(exponent)
    return Int64(whole + kept + String(repeating: "0", count: exponent - kept.count))
  }
}
