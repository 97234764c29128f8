/// A tag in a cell: a label on a rounded plate with a soft edge.
final class TagView {
  /// In points, which are its pixels.
  static let width = 56
  static let height = 12

  /// How much of each pixel the plate covers, 0…255, row by row.
  private let plate: [UInt8]
  private var labelWidth = 0.0
  private var color: UInt32 = 0

  /// Creates the view, which draws its plate from so many samples across each pixel.
  init(samples: Int) {
    var plate: [UInt8] = []
    plate.reserveCapacity(Self.width * Self.height)
    for row in 0..<Self.height {
      for column in 0..<Self.width {
        plate.append(Self.coverage(row: row, column: column, samples: samples))
      }
    }
    self.plate = plate
  }

  /// Gives it another label.
  func show(_ tag: String) {
    labelWidth = Font.width(of: tag[...], .tag) * 0.6
    // Each letter turns the color a little.
    let turn = tag.utf8.reduce(UInt32(17)) { $0 &* 31 &+ UInt32($1) }
    color = 0x0040_4040 | turn & 0x00FF_FFFF
  }

  /// The pixel in row and column, as `0xAABBGGRR`.
  func pixel(row: Int, column: Int) -> UInt32 {
    let isLabel = row > 3 && row < 9 && column > 6 && Double(column) < 6 + labelWidth
    let cover = UInt32(plate[row * Self.width + column])
    return Screen.over(cover << 24 | (isLabel ? 0x00F0_F0F0 : color), 0xFF40_4040)
  }

  /// The mean of samples in a pixel: 1 on the plate, less and less over the last point of its edge.
  private static func coverage(row: Int, column: Int, samples: Int) -> UInt8 {
    let radius = Float(height) / 2
    let step = 1 / Float(samples)
    var sum: Float = 0
    for vertical in 0..<samples {
      let y = Float(row) + (Float(vertical) + 0.5) * step - radius
      for horizontal in 0..<samples {
        let x = Float(column) + (Float(horizontal) + 0.5) * step
        // How far from the line between the middles of its round ends.
        let beside = max(radius - x, x - Float(width) + radius, 0)
        sum += min(max(radius - (beside * beside + y * y).squareRoot(), 0), 1)
      }
    }
    return UInt8((sum * step * step * 255).rounded())
  }
}
