import FlamelarkReport
import Testing
import _FlamelarkTestSupport

@Suite struct FigureTests {
  @Test func timesAreRoundedInIntegers() {
    #expect(Figure.milliseconds(16_666_667) == "16.7")
    #expect(Figure.milliseconds(49_999) == "0.0")
    #expect(Figure.milliseconds(50_000) == "0.1")
    #expect(Figure.milliseconds(-50_000) == "-0.1")
    #expect(Figure.milliseconds(1_234_567, decimals: 3) == "1.235")
    #expect(Figure.seconds(37_640_000_000) == "37.6")
    #expect(Figure.milliseconds(.max) == "9223372036854.8")
    #expect(Figure.milliseconds(.min) == "-9223372036854.8")
  }

  @Test func aDurationHasTheUnitThatSuitsIt() {
    #expect(Figure.duration(999) == "999 ns")
    #expect(Figure.duration(1_000) == "1.0 µs")
    #expect(Figure.duration(999_949) == "999.9 µs")
    #expect(Figure.duration(999_950) == "1.0 ms")
    #expect(Figure.duration(999_949_999) == "999.9 ms")
    #expect(Figure.duration(999_950_000) == "1.0 s")
  }

  @Test func ratiosFactorsAndCounts() {
    #expect(Figure.ratio(25.414) == "25.41")
    #expect(Figure.ratio(0) == "0.00")
    #expect(Figure.factor(7.64) == "7.6x")
    #expect(Figure.factor(9.96) == "10x")
    #expect(Figure.factor(.infinity) == "many x")
    #expect(Figure.count(1_234_567) == "1,234,567")
    #expect(Figure.count(-123) == "-123")
    #expect(Figure.count(UInt64.max) == "18,446,744,073,709,551,615")
    #expect(Figure.count(1, "frame") == "1 frame")
    #expect(Figure.count(2, "hitch", "hitches") == "2 hitches")
    #expect(Figure.calls(3) == "3")
    #expect(Figure.calls(0.254) == "0.25")
    #expect(Figure.calls(1234.56) == "1234.6")
  }

  @Test func aRateIsWholeWhereTheTimerMeantIt() {
    #expect(Figure.hertz(16_666_667) == "60")
    #expect(Figure.hertz(16_667_000) == "60")
    #expect(Figure.hertz(8_333_333) == "120")
    #expect(Figure.hertz(16_683_333) == "59.94")
    #expect(Figure.hertz(0) == "?")
  }

  @Test func sharesAddUpToTheWhole() {
    #expect(shares(of: 100, among: [1, 1, 1]) == [34, 33, 33])
    #expect(shares(of: 100, among: []) == [])
    #expect(shares(of: 100, among: [0, 0]) == [0, 0])
    #expect(shares(of: 2, among: [5, 0, 5]) == [1, 0, 1])
    let seed: UInt64 = 2
    var random = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let parts = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        Int64.random(in: 0...Int64.max / 64, using: &random)
          >> Int64.random(in: 0...60, using: &random)
      }
      let whole = Int64.random(in: 0...1_000_000, using: &random)
      let result = shares(of: whole, among: parts)
      let sum = parts.reduce(0, +)
      #expect(result.reduce(0, +) == (sum > 0 ? whole : 0), "seed \(seed), round \(round)")
      for (share, part) in zip(result, parts) where sum > 0 {
        let exact = Double(part) / Double(sum) * Double(whole)
        #expect(abs(Double(share) - exact) <= 1.001, "seed \(seed), round \(round)")
      }
    }
  }

  @Test func momentsOfTheCalendar() {
    #expect(WallClock(nanosecondsSince1970: 0).iso == "1970-01-01T00:00:00.000000000Z")
    #expect(WallClock(nanosecondsSince1970: -1).iso == "1969-12-31T23:59:59.999999999Z")
    let leapDay = WallClock(nanosecondsSince1970: 1_709_164_800_123_456_789)
    #expect(leapDay.iso == "2024-02-29T00:00:00.123456789Z")
    #expect(leapDay.time() == "00:00:00.123")
    #expect(WallClock(nanosecondsSince1970: 4_107_542_399_000_000_000).date == "2100-02-28")
    #expect(WallClock(nanosecondsSince1970: 4_107_542_400_000_000_000).date == "2100-03-01")
    #expect(WallClock(zero: .max, offset: 1) == nil)
    #expect(WallClock(nanosecondsSince1970: .min).date == "1677-09-21")
  }
}
