internal import FlamelarkTrace

/// A moment of the calendar, in UTC: the same text on every machine.
package struct WallClock {
  private let nanoseconds: Int64

  /// A moment in nanoseconds since 1970.
  package init(nanosecondsSince1970 nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment `offset` nanoseconds after the trace's zero, nil where the zero isn't known.
  package init?(zero: Int64?, offset: Int64) {
    guard let zero else { return nil }
    let (sum, overflow) = zero.addingReportingOverflow(offset)
    guard !overflow else { return nil }
    nanoseconds = sum
  }

  /// `2026-11-30T09:34:14.123456789Z`.
  package var iso: String { "\(date)T\(time(decimals: 9))Z" }

  /// `2026-11-30`.
  package var date: String {
    // Days from 1970 to a date of the proleptic Gregorian calendar whose years begin in March:
    // then the leap day is the last of a year, and 400 years always have 146,097 days.
    let days = floorDivision(nanoseconds, 86_400_000_000_000) + 719_468
    let era = floorDivision(days, 146_097)
    let day = days - era * 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    return "\(calendarYear)-\(padded(calendarMonth))-\(padded(dayOfMonth))"
  }

  /// `09:34:14.123`. What doesn't fit is cut off, so a time never becomes the next day's.
  package func time(decimals: Int = 3) -> String {
    let day: Int64 = 86_400_000_000_000
    let ofDay = nanoseconds - floorDivision(nanoseconds, day) * day
    let second = ofDay / 1_000_000_000
    let fraction = Figure.decimal(1_000_000_000 + ofDay % 1_000_000_000, decimals: 9)
    let clock = "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
    return clock + fraction.dropFirst().prefix(decimals + 1)
  }

  private func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}

extension Trace {
  /// The moment of the calendar of a time of the trace, nil where that isn't known.
  func wallClock(at time: Int64) -> WallClock? { WallClock(zero: wallClockZero, offset: time) }
}
