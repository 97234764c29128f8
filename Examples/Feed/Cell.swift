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

  /// What a row of the cell's pixels shows.
  enum Band {
    case flat(UInt32)
    case text(end: Double)
    case views([CellConstraints.Frame])
    case picture(Picture, row: Int)
  }

  /// The row at `y` points below the cell's upper edge.
  func band(y: Double) -> Band {
    if y < 1 { return .flat(0xFF50_5050) }
    if let picture, y > height - 70 {
      let row = Int((y - height + 70) / 70 * Double(picture.side))
      return .picture(picture, row: min(row, picture.side - 1))
    }
    if y > 20 && y < 24 { return .views(frames) }
    let line = Int(y / Font.lineHeight)
    guard line < lines.count, Int(y) % 18 > 5 else { return .flat(0x8040_4040) }
    return .text(end: Double(lines[line].count) * 36)
  }
}

extension Cell.Band {
  /// The color at `x` points from the left.
  func color(x: Double) -> UInt32 {
    switch self {
    case .flat(let color): return color
    case .text(let end): return x < end ? 0xFFD0_D0D0 : 0x8040_4040
    case .views(let frames):
      return frames.contains { x >= $0.left && x < $0.left + $0.width } ? 0xFF60_A0E0 : 0x8040_4040
    case .picture(let picture, let row):
      let column = Int(x / Screen.width * Double(picture.side))
      return picture.pixel(row: row, column: min(column, picture.side - 1))
    }
  }
}
