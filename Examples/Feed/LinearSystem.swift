/// Linear equations, one for each unknown.
struct LinearSystem {
  let count: Int
  /// Row by row, the right side as the last column.
  private var values: [Double]

  init(count: Int) {
    self.count = count
    values = Array(repeating: 0, count: count * (count + 1))
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[row * (count + 1) + column] }
    set { values[row * (count + 1) + column] = newValue }
  }

  /// `Σ terms = constant`, as equation `row`.
  mutating func set(_ row: Int, _ terms: [(unknown: Int, factor: Double)], equals: Double) {
    for term in terms { self[row, term.unknown] += term.factor }
    self[row, count] = equals
  }

  /// The unknowns, by elimination with the largest pivot; nil if they are not determined.
  ///
  /// - Complexity: O(count³).
  consuming func solution() -> [Double]? {
    let width = count + 1
    for column in 0..<count {
      var pivot = column
      for row in column..<count where abs(self[row, column]) > abs(self[pivot, column]) {
        pivot = row
      }
      guard abs(self[pivot, column]) > 1e-9 else { return nil }
      if pivot != column {
        for k in 0..<width { values.swapAt(pivot * width + k, column * width + k) }
      }
      for row in 0..<count where row != column {
        let factor = self[row, column] / self[column, column]
        if factor == 0 { continue }
        for k in column..<width {
          values[row * width + k] -= factor * values[column * width + k]
        }
      }
    }
    return (0..<count).map { self[$0, count] / self[$0, $0] }
  }
}
