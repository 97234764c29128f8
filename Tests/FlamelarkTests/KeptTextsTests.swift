import Testing

@testable import Flamelark

@Suite struct KeptTextsTests {
  @Test func aTextIsKeptOnceAndStaysWhereItIs() {
    var texts = KeptTexts()
    let long = String(repeating: "long", count: 10_000)
    let all = ["", "a", "b", long] + (0..<5000).map { "tile \($0)" }
    let places = all.map { UInt(bitPattern: unsafe texts.keep($0)) }
    for (text, place) in zip(all, places) {
      let again = unsafe texts.keep(text)
      #expect(UInt(bitPattern: again) == place)
      #expect(unsafe String(cString: again) == text)
    }
    #expect(Set(places).count == all.count)
  }

  @Test func namesOfOneLengthTakePlacesOfTheirOwnInACacheThatGoesByLowBits() {
    var texts = KeptTexts()
    var residues: Set<UInt> = []
    for number in 1000..<2000 {
      residues.insert(UInt(bitPattern: unsafe texts.keep("tile \(number)")) % 2048)
    }
    #expect(residues.count == 1000)
  }
}
