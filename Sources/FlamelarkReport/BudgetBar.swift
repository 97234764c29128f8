/// A late frame as a bar: what it might take, and what it took beyond.
///
///     |===== budget 16.7 =====|~~~~~~~~ late 22.5 ~~~~~~~~|
struct BudgetBar {
  let budget: Int64
  let lateness: Int64

  /// The bar in `width` columns, or in as many as its words need.
  func text(width: Int, style: TextStyle) -> String {
    let words = (
      budget: " budget \(Figure.milliseconds(budget)) ",
      late: " late \(Figure.milliseconds(lateness)) "
    )
    let least = (budget: words.budget.count + 4, late: words.late.count + 4)
    let room = max(width - 3, least.budget + least.late)
    let part = Double(lateness) / (Double(max(budget, 1)) + Double(lateness))
    let late = min(max(Int((Double(room) * part).rounded()), least.late), room - least.budget)
    return "|" + filled(words.budget, with: "=", to: room - late) + "|"
      + style.red(filled(words.late, with: "~", to: late)) + "|"
  }

  private func filled(_ word: String, with fill: Character, to width: Int) -> String {
    let space = max(width - word.count, 0)
    return String(repeating: fill, count: space / 2) + word
      + String(repeating: fill, count: space - space / 2)
  }
}
