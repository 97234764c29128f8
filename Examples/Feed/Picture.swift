/// A square picture in memory, eight bits for each of red, green, blue and alpha.
struct Picture: Equatable {
  let side: Int
  var bytes: [UInt8]

  /// The pixel in row and column, as `0xAABBGGRR`.
  func pixel(row: Int, column: Int) -> UInt32 {
    let start = (row * side + column) * 4
    return UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
      | UInt32(bytes[start + 3]) << 24
  }

  /// A picture of bands and soft noise, as photographs are: neighbours are alike.
  static func made(side: Int, using numbers: inout SeededNumbers) -> Picture {
    let tint = numbers.next()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 4)
    var noise = numbers.next()
    for row in 0..<side {
      for column in 0..<side {
        if column % 16 == 0 { noise = numbers.next() }
        let band = UInt64((row / 8 + column / 24) & 0x3F)
        for channel in 0..<3 {
          let base = (tint >> UInt64(channel * 8)) & 0x7F
          bytes.append(UInt8((base + band + (noise >> UInt64(channel * 5)) & 3) & 0xFF))
        }
        bytes.append(0xE0)
      }
    }
    return Picture(side: side, bytes: bytes)
  }
}
