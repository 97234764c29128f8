/// What is seen, blended in software: a backdrop, the cells, and a bar over them.
///
/// Every frame blends every pixel, whatever moved, so this work is heavy and always the same.
struct Screen {
  /// In points.
  static let width = 390.0
  static let height = 844.0

  let columns: Int
  let rows: Int
  /// Rows of the bar at the top.
  let barRows: Int
  /// The pixels of the bar.
  private(set) var bar: [UInt32]
  private(set) var pixels: [UInt32]
  /// The painted cells. Row r holds the feed's pixel rows r, r + rows, …: it turns as one scrolls.
  private var content: [UInt32]
  private let backdrop: [UInt32]

  var pixelsPerPoint: Double { Double(columns) / Self.width }

  init(columns: Int) {
    self.columns = columns
    rows = Int(Double(columns) * Self.height / Self.width)
    barRows = rows / 12
    bar = Array(repeating: 0xC0F0_F0F0, count: columns * barRows)
    pixels = Array(repeating: 0, count: columns * rows)
    content = pixels
    backdrop = pixels.indices.map { 0xFF20_2020 &+ UInt32($0 / 640 & 0x3F) &* 0x01_0101 }
  }

  /// Blends all layers for a feed scrolled to `offset` points.
  mutating func blend(offset: Double) {
    let first = Int(offset * pixelsPerPoint) % rows
    for row in 0..<rows {
      let source = (row + first) % rows * columns
      for column in 0..<columns {
        let index = row * columns + column
        var pixel = backdrop[index]
        pixel = Self.over(content[source + column], pixel)
        pixel = Self.over(row < barRows ? bar[index] : 0x1000_0000, pixel)
        pixels[index] = pixel
      }
    }
  }

  /// Shows the header in the bar.
  mutating func show(_ header: Header) {
    bar = header.pixels
  }

  /// Paints a cell whose upper edge is `top` points into the feed.
  mutating func paint(_ cell: Cell, top: Double) {
    let firstRow = Int(top * pixelsPerPoint)
    let height = Int(cell.height * pixelsPerPoint)
    for row in 0..<height {
      let start = (firstRow + row) % rows * columns
      let line = cell.row(y: Double(row) / pixelsPerPoint)
      for column in 0..<columns {
        content[start + column] = line.color(x: Double(column) / pixelsPerPoint)
      }
    }
  }

  /// One pixel over another, by the alpha of the upper one.
  static func over(_ upper: UInt32, _ lower: UInt32) -> UInt32 {
    let alpha = upper >> 24
    let rest = 255 - alpha
    var result: UInt32 = 0xFF00_0000
    for shift: UInt32 in [0, 8, 16] {
      let mixed = (upper >> shift & 0xFF) * alpha + (lower >> shift & 0xFF) * rest
      result |= (mixed / 255) << shift
    }
    return result
  }
}
