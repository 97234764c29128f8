/// A large picture cut out of its background, with a soft edge.
struct Cutout {
  /// Pixels on the side of what is drawn of it.
  static let drawnSide = 48
  /// What it lies on: the color of a cell, without alpha.
  static let background: [Float] = [0x40, 0x40, 0x40].map { linear($0) }

  let source: Picture

  static func made(side: Int, using numbers: inout SeededNumbers) -> Cutout {
    var picture = Picture.made(side: side, using: &numbers)
    let radius = Double(side) / 2
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = (Double(column) + 0.5 - radius, Double(row) + 0.5 - radius)
        // From the edge inwards, in parts of a soft eighth.
        let depth = (1 - (x * x + y * y).squareRoot() / radius) * 8
        picture.bytes[(row * side + column) * 4 + 3] = UInt8(min(max(depth, 0), 1) * 255)
      }
    }
    return Cutout(source: picture)
  }

  /// Lays each pixel over the background, in linear light, and takes the mean of those that fall
  /// on one pixel of the result: the transparency is gone then, and the size is that on the screen.
  func drawn() -> Picture {
    let side = Self.drawnSide
    var sums = Array(repeating: Float(0), count: side * side * 4)
    for row in 0..<source.side {
      for column in 0..<source.side {
        let pixel = (row * source.side + column) * 4
        let target = (row * side / source.side * side + column * side / source.side) * 4
        let alpha = Float(source.bytes[pixel + 3]) / 255
        for channel in 0..<3 {
          let light = Self.linear(Float(source.bytes[pixel + channel]))
          sums[target + channel] += light * alpha + Self.background[channel] * (1 - alpha)
        }
        sums[target + 3] += 1
      }
    }
    var bytes = Array(repeating: UInt8(0xFF), count: side * side * 4)
    for pixel in stride(from: 0, to: bytes.count, by: 4) where sums[pixel + 3] > 0 {
      for channel in 0..<3 {
        bytes[pixel + channel] = Self.encoded(sums[pixel + channel] / sums[pixel + 3])
      }
    }
    return Picture(side: side, bytes: bytes)
  }

  /// Light from a byte: a display's gamma is near to 2.
  private static func linear(_ byte: Float) -> Float {
    (byte / 255) * (byte / 255)
  }

  private static func encoded(_ light: Float) -> UInt8 {
    UInt8((light.squareRoot() * 255).rounded())
  }
}
