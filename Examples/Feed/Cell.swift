/// One visible post: its text in lines, its views in place, its picture.
struct Cell {
  let post: Int
  let height: Double
  let lines: [Range<Int>]
  let links: Int
  let picture: Picture?
  /// The version of the post that ``frames`` were solved for; nil: not yet.
  var solvedVersion: Int?
  var frames: [CellConstraints.Frame] = []

  /// The color at a place inside the cell, in points.
  func color(x: Double, y: Double) -> UInt32 {
    if y < 1 { return 0xFF50_5050 }
    if let picture, y > height - 90 {
      let row = Int((y - height + 90) / 90 * Double(picture.side))
      let column = Int(x / Screen.width * Double(picture.side))
      return picture.pixel(
        row: min(row, picture.side - 1), column: min(column, picture.side - 1))
    }
    let line = Int(y / Font.lineHeight)
    guard line < lines.count, Int(y) % 18 > 5 else { return 0x8040_4040 }
    return x < Double(lines[line].count) * 36 ? 0xFFD0_D0D0 : 0x8040_4040
  }
}
