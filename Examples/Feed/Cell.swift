/// One visible post: its text in lines, its views in place, its tags, its pictures.
struct Cell {
  let post: Int
  let height: Double
  let lines: [Range<Int>]
  let links: Int
  let picture: Picture?
  let cutout: Picture?
  let tags: [TagView]
  /// The version of the post that ``frames`` were solved for; nil: not yet.
  var solvedVersion: Int?
  var frames: [CellConstraints.Frame] = []

  /// What a row of the cell's pixels shows.
  enum Band {
    case flat(UInt32)
    case text(end: Double)
    case tags([TagView], row: Int)
    case views([CellConstraints.Frame])
    case picture(Picture, row: Int)
  }

  /// A row of its pixels: the cutout's lie over the others.
  struct Row {
    let band: Band
    let cutout: (picture: Picture, row: Int)?
  }

  /// The row at `y` points below the cell's upper edge.
  func row(y: Double) -> Row {
    let inside = (y - 22) / Row.cutoutSide
    guard let cutout, inside >= 0, inside < 1 else { return Row(band: band(y: y), cutout: nil) }
    return Row(band: band(y: y), cutout: (cutout, Int(inside * Double(cutout.side))))
  }

  private func band(y: Double) -> Band {
    if y < 1 { return .flat(0xFF50_5050) }
    if let picture, y > height - 70 {
      let row = Int((y - height + 70) / 70 * Double(picture.side))
      return .picture(picture, row: min(row, picture.side - 1))
    }
    if y > 20 && y < 24 { return .views(frames) }
    let tagRow = Int(y) - 27
    if tagRow >= 0 && tagRow < TagView.height { return .tags(tags, row: tagRow) }
    // Text begins below the tags.
    let line = Int((y - 40) / Font.lineHeight)
    guard y > 40, line < lines.count, Int(y - 40) % 18 > 5 else { return .flat(0x8040_4040) }
    return .text(end: Double(lines[line].count) * 36)
  }
}

extension Cell.Row {
  /// In points.
  static let cutoutSide = 54.0

  /// The color at `x` points from the left.
  func color(x: Double) -> UInt32 {
    let inside = (x - Screen.width + Self.cutoutSide + 8) / Self.cutoutSide
    guard let cutout, inside >= 0, inside < 1 else { return band.color(x: x) }
    let column = Int(inside * Double(cutout.picture.side))
    return cutout.picture.pixel(row: cutout.row, column: column)
  }
}

extension Cell.Band {
  /// The color at `x` points from the left.
  func color(x: Double) -> UInt32 {
    switch self {
    case .flat(let color): return color
    case .text(let end): return x < end ? 0xFFD0_D0D0 : 0x8040_4040
    case .tags(let tags, let row):
      // One beside the other, two points apart.
      let place = Int(x) - 12
      let (tag, column) = (place / (TagView.width + 2), place % (TagView.width + 2))
      guard place >= 0, tag < tags.count, column < TagView.width else { return 0x8040_4040 }
      return tags[tag].pixel(row: row, column: column)
    case .views(let frames):
      return frames.contains { x >= $0.left && x < $0.left + $0.width } ? 0xFF60_A0E0 : 0x8040_4040
    case .picture(let picture, let row):
      let column = Int(x / Screen.width * Double(picture.side))
      return picture.pixel(row: row, column: min(column, picture.side - 1))
    }
  }
}
