import Testing

@testable import Feed

@Suite struct PictureTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aPictureComesBackFromItsFile(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var picture = Picture.made(side: Int(seed) * 5, using: &numbers)
    #expect(PictureCode.decode(PictureCode.encode(picture)) == picture)
    // Noise has no runs.
    for index in picture.bytes.indices {
      picture.bytes[index] = .random(in: 0...255, using: &numbers)
    }
    #expect(PictureCode.decode(PictureCode.encode(picture)) == picture)
  }

  @Test func aCutFileIsNoPicture() {
    var numbers = SeededNumbers(seed: 1)
    let file = PictureCode.encode(.made(side: 9, using: &numbers))
    for length in file.indices {
      #expect(PictureCode.decode(Array(file[..<length])) == nil, "cut to \(length) bytes")
    }
  }

  @Test(arguments: [true, false])
  func aStoreHandsOutThePicturesItWrote(keeps: Bool) throws {
    var numbers = SeededNumbers(seed: 7)
    let store = try PictureStore(count: 3, side: 12, keeps: keeps, using: &numbers)
    numbers = SeededNumbers(seed: 7)
    for number in 0..<3 {
      #expect(store.picture(number) == Picture.made(side: 12, using: &numbers))
    }
  }

  @Test func onePixelOverAnother() {
    #expect(Screen.over(0xFF12_3456, 0xFF00_0000) == 0xFF12_3456)
    #expect(Screen.over(0x0012_3456, 0xFF65_4321) == 0xFF65_4321)
    #expect(Screen.over(0x80FF_0000, 0xFF00_00FF) == 0xFF80_007F)
  }
}
