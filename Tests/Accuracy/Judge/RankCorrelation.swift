enum RankCorrelation {
  /// Spearman's coefficient of pairs, nil if either side is the same everywhere.
  static func spearman(_ pairs: [(Double, Double)]) -> Double? {
    let (first, second) = (ranks(pairs.map(\.0)), ranks(pairs.map(\.1)))
    let mean = Double(pairs.count + 1) / 2
    func sum(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
    }
    let spread = (sum(first, first) * sum(second, second)).squareRoot()
    return spread > 0 ? sum(first, second) / spread : nil
  }

  /// The ranks from 1; those that are equal share the mean of theirs.
  private static func ranks(_ values: [Double]) -> [Double] {
    values.map { value in
      let below = values.count { $0 < value }
      return Double(below) + Double(values.count { $0 == value } + 1) / 2
    }
  }
}
