/// Times come from files: a sum of two must not trap, whatever they are.
extension Int64 {
  /// The sum, or the greatest or least value if there is none.
  func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the greatest or least value if there is none.
  func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

extension Range<Int64> {
  /// How long it is.
  var duration: Int64 { upperBound.minus(lowerBound) }
}
