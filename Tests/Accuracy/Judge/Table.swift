import Foundation

/// The lines about a cell.
enum Table {
  static func text(of cell: Cell, _ tally: Tally, seeds: ClosedRange<UInt64>) -> String {
    var lines = [
      "\(cell.name) · seeds \(seeds.lowerBound)–\(seeds.upperBound) · \(tally.frames) frames · "
        + "\(tally.hitches) hitches, \(tally.ours.count) with a cause put in",
      "  " + "method".padded(to: 34) + "   P@1    R@3  share error",
      line("flamelark", tally.ours),
    ]
    for method in Baselines.Method.allCases {
      lines.append(line(method.rawValue, tally.baselines[method] ?? Score()))
    }
    let coverage = tally.coverage.map { "\(Int(($0 * 100).rounded())) % of \(tally.intervals)" }
    let whatIf = tally.whatIfError.map { "\($0.formatted(3)) ms/s" }
    lines.append(
      "  interval coverage \(coverage ?? "-") · what-if error \(whatIf ?? "-") "
        + "(\(tally.whatIfErrors.count) causes, \(tally.withoutWhatIf) without)")
    lines.append(
      "  totals: Spearman \(tally.correlation?.formatted(2) ?? "-"), same first cause in "
        + "\(tally.sameFirst) of \(tally.runs) runs · residual \(tally.residual) ns")
    return lines.joined(separator: "\n")
  }

  private static func line(_ name: String, _ score: Score) -> String {
    "  " + name.padded(to: 34) + " " + score.precision.formatted(3) + "  "
      + score.recall.formatted(3) + "        " + score.shareError.formatted(3)
  }
}

extension Double {
  /// With so many digits behind the point.
  func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
