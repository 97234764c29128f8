import Testing

@testable import Feed

@Suite struct RichTextTests {
  @Test func markupBecomesStyledWordsAndLinks() {
    let text = RichText(markup: "a *b* _c_ [home](feed:/7) #d @e", width: 300)
    #expect(text.words.map(\.text) == ["a", "b", "c", "home", "#d", "@e"])
    #expect(text.words.map(\.style) == [.plain, .bold, .italic, .link, .tag, .tag])
    #expect(text.links == ["feed:/7"])
  }

  @Test(arguments: ["*never closed", "[label", "[label](address", "[", "*", "[]()", "", "  "])
  func unclosedMarkupEndsWithTheText(_ markup: String) {
    let text = RichText(markup: markup, width: 300)
    #expect(text.words.count <= 3)
    #expect(text.lines.flatMap { $0 } == Array(text.words.indices))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func noOtherWayToBreakLinesIsMoreEven(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let widths = (0..<10).map { _ in Double.random(in: 5...60, using: &numbers) }
    let lines = LineBreaker.lines(of: widths, space: 4, width: 100)
    #expect(lines.flatMap { $0 } == Array(widths.indices))

    // Every way: each bit says whether a line ends after that word.
    let least = (0..<(1 << 9)).compactMap { ends in
      var all: [Range<Int>] = []
      var first = 0
      for word in 0..<10 where word == 9 || ends >> word & 1 == 1 {
        all.append(first..<(word + 1))
        first = word + 1
      }
      return Self.cost(of: all, widths)
    }.min()
    #expect(Self.cost(of: lines, widths) == least)
  }

  /// nil: a line is too long.
  private static func cost(of lines: [Range<Int>], _ widths: [Double]) -> Int? {
    var sum = 0.0
    for line in lines {
      let room = 100 - widths[line].reduce(-4) { $0 + $1 + 4 }
      guard room >= 0 else { return nil }
      if line.upperBound < widths.count { sum += room * room }
    }
    return Int(sum * 1000)
  }
}
