/// What is asked of the report, and where it falls short.
enum Requirements {
  static let coverage = 0.85...0.99
  static let whatIfError = 0.15
  /// What may have no figure of what mending it would buy, of all causes that were put in.
  static let mostWithoutWhatIf = 0.25

  /// What a cell breaks.
  static func broken(by tally: Tally, in cell: Cell) -> [String] {
    var broken = tally.failures
    if tally.residual != 0 { broken.append("causes don't add up: \(tally.residual) ns") }
    guard let bounds = cell.bounds else { return broken }
    let (precision, error) = (tally.ours.precision, tally.ours.shareError)
    if precision < bounds.precision {
      broken.append("P@1 is \(precision.formatted(3)), below \(bounds.precision)")
    }
    if error > bounds.shareError {
      broken.append("the share error is \(error.formatted(3)), above \(bounds.shareError)")
    }
    for method in Baselines.Method.allCases where !method.usesCriticalPath {
      let lead = precision - (tally.baselines[method]?.precision ?? 0)
      if lead < bounds.lead {
        broken.append(
          "\(lead.formatted(3)) ahead of \"\(method.rawValue)\", below \(bounds.lead)")
      }
    }
    return broken
  }

  /// What the cells with bounds break together.
  static func brokenTogether(by tally: Tally) -> [String] {
    var broken: [String] = []
    if let error = tally.whatIfError {
      if error > whatIfError {
        broken.append("the what-if error is \(error.formatted(3)) ms/s, above \(whatIfError)")
      }
    } else {
      broken.append("there is no what-if figure")
    }
    let causes = tally.whatIfErrors.count + tally.withoutWhatIf
    let without = Double(tally.withoutWhatIf) / Double(max(1, causes))
    if without > mostWithoutWhatIf {
      broken.append(
        "\(without.formatted(3)) of causes have no what-if figure, above \(mostWithoutWhatIf)")
    }
    if let part = tally.coverage {
      if !coverage.contains(part) {
        broken.append("intervals cover \(part.formatted(3)), not 0.85 to 0.99")
      }
    } else {
      broken.append("there is no interval")
    }
    return broken
  }
}
