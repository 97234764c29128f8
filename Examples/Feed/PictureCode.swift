/// A picture as bytes of a file: each byte less the mean of its left and upper neighbour, then
/// runs of equal bytes as (length, byte) and others as (128 + length, bytes…).
enum PictureCode {
  static func encode(_ picture: Picture) -> [UInt8] {
    var output = [UInt8(picture.side & 0xFF), UInt8(picture.side >> 8 & 0xFF)]
    let differences = picture.bytes.indices.map { index in
      picture.bytes[index] &- prediction(picture.bytes, at: index, side: picture.side)
    }
    var index = 0
    while index < differences.count {
      let run = runLength(differences, from: index)
      if run > 2 {
        output += [UInt8(run), differences[index]]
        index += run
        continue
      }
      var end = index
      while end < differences.count, end - index < 127, runLength(differences, from: end) <= 2 {
        end += 1
      }
      output.append(UInt8(128 + end - index))
      output += differences[index..<end]
      index = end
    }
    return output
  }

  /// nil if the bytes are not a whole picture.
  static func decode(_ input: [UInt8]) -> Picture? {
    guard input.count >= 2 else { return nil }
    let side = Int(input[0]) | Int(input[1]) << 8
    let count = side * side * 4
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index = 2
    while bytes.count < count {
      guard index + 1 < input.count else { return nil }
      let code = Int(input[index])
      let isRun = code < 128
      let length = isRun ? code : code - 128
      let last = isRun ? index + 1 : index + length
      guard length > 0, last < input.count, bytes.count + length <= count else { return nil }
      for offset in 1...length {
        let difference = input[isRun ? last : index + offset]
        bytes.append(difference &+ prediction(bytes, at: bytes.count, side: side))
      }
      index = last + 1
    }
    return Picture(side: side, bytes: bytes)
  }

  private static func prediction(_ bytes: [UInt8], at index: Int, side: Int) -> UInt8 {
    let left = index % (side * 4) >= 4 ? Int(bytes[index - 4]) : 0
    let upper = index >= side * 4 ? Int(bytes[index - side * 4]) : 0
    return UInt8((left + upper) / 2)
  }

  private static func runLength(_ bytes: [UInt8], from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, end - start < 127, bytes[end] == bytes[start] { end += 1 }
    return end - start
  }
}
