/// The bar over the feed: the account's title on its blurred cover.
struct Header {
  /// What it shows.
  struct Content: Equatable {
    var title: String
    var posts: Int
  }

  let content: Content
  /// The bar's pixels, row by row, half transparent.
  let pixels: [UInt32]

  /// Builds the whole header.
  init(content: Content, cover: Picture, columns: Int, rows: Int) {
    self.content = content
    let blurred = Self.blurred(cover)
    let pixelsPerPoint = Double(columns) / Screen.width
    let title = "\(content.title) · \(content.posts)"
    let end = Font.width(of: title[...], .bold) * pixelsPerPoint
    var pixels: [UInt32] = []
    pixels.reserveCapacity(columns * rows)
    for row in 0..<rows {
      let isTitle = row > rows / 2 && row < rows * 3 / 4
      for column in 0..<columns {
        // The cover is square; the bar shows a band across its middle.
        let y = cover.side / 3 + row * cover.side / 3 / max(1, rows)
        let color = blurred.pixel(row: y, column: column * cover.side / columns)
        let isText = isTitle && Double(column) < end
        pixels.append(isText ? 0xFFF0_F0F0 : color & 0x00FF_FFFF | 0xC000_0000)
      }
    }
    self.pixels = pixels
  }

  /// Three means over a twelfth of the side, along rows and columns: nearly as a lens blurs.
  static func blurred(_ picture: Picture) -> Picture {
    var result = picture
    let radius = picture.side / 24
    for _ in 0..<3 {
      smooth(&result.bytes, lines: picture.side, apart: picture.side * 4, step: 4, radius: radius)
      smooth(&result.bytes, lines: picture.side, apart: 4, step: picture.side * 4, radius: radius)
    }
    return result
  }

  /// Replaces each byte by the mean of those around it in its line: as many lines as a line is long.
  private static func smooth(
    _ bytes: inout [UInt8], lines: Int, apart: Int, step: Int, radius: Int
  ) {
    var line = Array(repeating: 0, count: lines)
    for number in 0..<lines {
      for channel in 0..<4 {
        let start = number * apart + channel
        for index in 0..<lines { line[index] = Int(bytes[start + index * step]) }
        // What leaves the window is taken off the sum, what enters is added.
        var sum = line[0..<min(radius, lines)].reduce(0, +)
        var count = min(radius, lines)
        for index in 0..<lines {
          if index + radius < lines { (sum, count) = (sum + line[index + radius], count + 1) }
          if index > radius { (sum, count) = (sum - line[index - radius - 1], count - 1) }
          bytes[start + index * step] = UInt8(sum / count)
        }
      }
    }
  }
}
