import Testing

@testable import Feed

/// Cutouts, the header and tags.
@Suite struct PartsTests {
  /// A picture of one color.
  private func flat(_ side: Int, _ pixel: [UInt8]) -> Picture {
    Picture(side: side, bytes: Array(repeating: pixel, count: side * side).flatMap { $0 })
  }

  @Test(arguments: [1, 3])
  func aCutoutIsLaidOverTheCell(scale: Int) {
    let side = Cutout.drawnSide * scale
    let opaque = flat(side, [10, 200, 255, 255])
    #expect(Cutout(source: opaque).drawn() == flat(Cutout.drawnSide, [10, 200, 255, 255]))
    let clear = flat(side, [10, 200, 255, 0])
    #expect(Cutout(source: clear).drawn() == flat(Cutout.drawnSide, [0x40, 0x40, 0x40, 255]))
    // Half of both, of light: (0.04 + 0.063) / 2 for 51 over 64.
    let half = flat(side, [51, 51, 51, 128])
    let pixel = Cutout(source: half).drawn().bytes[0]
    #expect(pixel == 58)
  }

  @Test func aCutoutIsOpaqueInItsMiddleAndClearOutside() {
    var numbers = SeededNumbers(seed: 4)
    let picture = Cutout.made(side: 96, using: &numbers).source
    let alpha = { (row: Int, column: Int) in picture.pixel(row: row, column: column) >> 24 }
    #expect(alpha(48, 48) == 255)
    #expect(alpha(0, 0) == 0)
    #expect(alpha(48, 0) < 60)
    let drawn = Cutout(source: picture).drawn()
    #expect(drawn.pixel(row: 0, column: 0) == 0xFF40_4040)
    #expect(stride(from: 3, to: drawn.bytes.count, by: 4).allSatisfy { drawn.bytes[$0] == 255 })
  }

  @Test func aBlurSpreadsAPointAndLeavesAFlatPicture() {
    let color = flat(48, [30, 60, 90, 224])
    #expect(Header.blurred(color) == color)
    var point = flat(48, [0, 0, 0, 255])
    for channel in 0..<3 { point.bytes[(24 * 48 + 24) * 4 + channel] = 255 }
    let blurred = Header.blurred(point)
    // Three means of two pixels to each side reach six.
    func value(_ row: Int, _ column: Int) -> UInt8 { blurred.bytes[(row * 48 + column) * 4] }
    #expect(value(24, 24) > 0 && value(24, 24) < 30)
    #expect(value(24, 24) >= value(24, 27) && value(24, 26) == value(24, 22))
    // Means are whole numbers, so that which direction comes first makes a little difference.
    #expect(value(24, 26) > 0 && value(26, 24) > 0)
    #expect(value(24, 31) == 0 && value(31, 24) == 0)
  }

  @Test func aHeaderShowsItsTitleOnItsCover() {
    let cover = flat(48, [30, 60, 90, 224])
    let header = Header(
      content: .init(title: "Larks", posts: 7), cover: cover, columns: 390, rows: 40)
    #expect(header.pixels.count == 390 * 40)
    #expect(Set(header.pixels) == [0xFFF0_F0F0, 0xC05A_3C1E])
  }

  @Test func aTagIsRoundAndShowsItsLabel() {
    let tag = TagView(samples: 4)
    tag.show("#lark")
    let background: UInt32 = 0xFF40_4040
    for (row, column) in [(0, 0), (0, 55), (11, 0), (11, 55)] {
      #expect(tag.pixel(row: row, column: column) == background)
    }
    let colors = (7..<50).map { tag.pixel(row: 6, column: $0) }
    #expect(colors.first == 0xFFF0_F0F0 && colors.last != 0xFFF0_F0F0)
    #expect(colors.last != background)
  }

  @Test func aViewThatIsUsedAgainLooksLikeOneThatIsCreated() {
    var (reusing, creating) = (
      TagViews(samples: 3, reuses: true), TagViews(samples: 3, reuses: false)
    )
    let first = reusing.view(for: "#sea")
    reusing.takeBack([first])
    let again = reusing.view(for: "#mountain")
    #expect(again === first)
    let before = creating.view(for: "#sea")
    creating.takeBack([before])
    let created = creating.view(for: "#mountain")
    #expect(created !== before)
    for row in 0..<TagView.height {
      for column in 0..<TagView.width {
        #expect(
          again.pixel(row: row, column: column) == created.pixel(row: row, column: column))
      }
    }
  }

  @Test func moreViewsThanWereKeptAreCreated() {
    var views = TagViews(samples: 1, reuses: true)
    var given: [TagView] = []
    for _ in 0..<TagViews.mostInSight + 3 { given.append(views.view(for: "#a")) }
    #expect(Set(given.map { ObjectIdentifier($0) }).count == given.count)
  }
}
