/// A ratio that several units of a set give together, as the hitch ratio of runs, and how sure it is.
///
/// The ratio is that of the sums: Σh / Σa. Its variance is that of the mean of h − r·a over the units,
/// over the mean of a squared. Source: Cochran, Sampling Techniques, 3rd edition, 1977, chapter 6.
struct RatioEstimate: Sendable, Equatable {
  /// In ms/s; 0 without any time.
  let value: Double
  /// Of ``value``, in (ms/s)²; NaN with less than two units.
  let variance: Double
  /// How many units.
  let units: Int

  /// The ratio of nanoseconds of something to nanoseconds of active time, for each unit.
  init(_ parts: [Int64], of times: [Int64]) {
    units = parts.count
    let time = Double(times.reduce(Int64(0)) { $0.plus($1) })
    guard time > 0 else {
      value = 0
      variance = .nan
      return
    }
    let ratio = Double(parts.reduce(Int64(0)) { $0.plus($1) }) / time
    value = ratio * 1000
    guard units > 1 else {
      variance = .nan
      return
    }
    let squares = zip(parts, times).reduce(0.0) { sum, unit in
      let rest = Double(unit.0) - ratio * Double(unit.1)
      return sum + rest * rest
    }
    let count = Double(units)
    let mean = time / count
    variance = squares / (count - 1) / count / (mean * mean) * 1_000_000
  }

  /// The mean of a figure that each run has once, as a percentile in nanoseconds.
  init(meanOf values: [Int64]) {
    units = values.count
    let mean = values.reduce(0.0) { $0 + Double($1) } / Double(max(1, units))
    value = mean
    guard units > 1 else {
      variance = .nan
      return
    }
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    variance = squares / Double(units - 1) / Double(units)
  }
}
