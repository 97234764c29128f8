import Testing

@testable import FlamelarkAnalysis

/// A law that does not hold stops the program and says where.
@Suite struct LawTests {
  @Test func aLawThatHoldsStopsNothing() {
    var asked = 0
    func text() -> String {
      asked += 1
      return ""
    }
    for number in 1...6 { Law(rawValue: number)?.check(true, frame: 1, text()) }
    #expect(asked == 0)
    #expect(Law(rawValue: 7) == nil)
  }

  @Test func aBrokenLawNamesTheFrame() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Law.causesAddUp.check(false, frame: 304, "7 of 8 ns")
    }
    let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    #expect(text.contains("law 2 of blame does not hold for frame 304: 7 of 8 ns"))
  }

  @Test func aBrokenLawOfTheWholeNamesTheSeries() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Law.seriesAddsUp.check(false, "7 of 8 ns")
    }
    let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    #expect(text.contains("law 3 of blame does not hold for the series: 7 of 8 ns"))
  }
}
