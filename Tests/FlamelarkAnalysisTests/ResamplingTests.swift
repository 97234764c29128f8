import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// How sure blame is.
@Suite struct ResamplingTests {
  /// Hitches so many seconds apart, with what each gives to definitions 2, 3, ….
  private func confidences(
    _ shares: [[Int64]], apart: Int64 = .ms(2000), seed: UInt64 = 1
  ) -> [Int: Cause.Confidence] {
    var resampling = Resampling()
    resampling.add(
      shares.enumerated().map { index, shares in
        (
          time: Int64(index) * apart,
          shares: shares.enumerated().map { ($0 + 2, $1) }.filter { $0.1 > 0 }
        )
      })
    return resampling.confidences(definitionCount: 8, seed: seed)
  }

  @Test func fewerThanFiveHitchesGiveNone() {
    #expect(confidences(Array(repeating: [10], count: 4)).isEmpty)
    #expect(!confidences(Array(repeating: [10], count: 5)).isEmpty)
    #expect(Resampling().confidences(definitionCount: 8, seed: 1).isEmpty)
  }

  @Test func whatIsTheSameInEachHitchIsCertain() {
    let found = confidences(Array(repeating: [10, 3], count: 20))
    #expect(found[2] == .init(blame: 200...200, first: 1))
    #expect(found[3] == .init(blame: 60...60, first: 0))
    #expect(found.count == 2)
  }

  @Test func whatIsInFewHitchesIsUncertain() throws {
    var shares = Array(repeating: [Int64(10), 0], count: 20)
    shares[7] = [0, 190]
    let found = confidences(shares)
    let (often, once) = (try #require(found[2]), try #require(found[3]))
    #expect(once.blame.lowerBound == 0)
    // Drawn three times of 20, which happens to one in twenty: 570 of 740, of 380 that there are.
    #expect(once.blame.upperBound == 293)
    #expect(often.blame.contains(190))
    #expect(often.first + once.first == 1)
    #expect((0.3...0.9).contains(often.first))
  }

  @Test func theSameSeedGivesTheSame() {
    let shares = (0..<30).map { [Int64($0 % 7), Int64($0 % 5), 2] }
    #expect(confidences(shares, seed: 3) == confidences(shares, seed: 3))
    #expect(confidences(shares, seed: 3) != confidences(shares, seed: 4))
  }

  @Test func hitchesWithinASecondAreDrawnTogether() throws {
    // 20 blocks in which one hitch takes what the other leaves: together always the same.
    let shares = inTurn
    var resampling = Resampling()
    resampling.add(
      shares.enumerated().map { index, shares in
        (
          time: Int64(index / 2) * .ms(2000) + Int64(index % 2) * .ms(500),
          shares: [(2, shares[0]), (3, shares[1])]
        )
      })
    let together = try #require(resampling.confidences(definitionCount: 8, seed: 1)[2])
    #expect(together.blame == 400...400)
    let apart = try #require(confidences(shares)[2])
    #expect(apart.blame.lowerBound < 400 && apart.blame.upperBound > 400)
  }

  @Test func ofFewBlocksEachHitchIsDrawnAlone() throws {
    let found = try #require(confidences(inTurn, apart: 1)[2])
    #expect(found.blame.lowerBound < 400 && found.blame.upperBound > 400)
  }

  /// Of 20 ms each, one cause takes 4 and 16 in turn, another the rest.
  private var inTurn: [[Int64]] { (0..<40).map { $0 % 2 == 0 ? [4, 16] : [16, 4] } }

  @Test func howLateHitchesWereIsNoDoubtInACause() throws {
    // Hitches of 2 to 80, all by one cause.
    let alone = try #require(confidences((1...40).map { [$0 * 2] })[2])
    #expect(alone.blame == 1640...1640)
    let shared = confidences((1...40).map { [$0, $0] })
    #expect(shared[2]?.blame == 820...820 && shared[3]?.blame == 820...820)
  }

  @Test func numbersAreEvenlySpreadBelowTheirBound() {
    var numbers = SeededNumbers(seed: 9)
    var counts = Array(repeating: 0, count: 7)
    for _ in 0..<7000 { counts[numbers.next(below: 7)] += 1 }
    #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
    #expect(numbers.next(below: 1) == 0)
  }

  @Test func aCauseThatIsAlwaysTheSameIsFirstInAllOfThem() throws {
    var loop = LoopBuilder()
    for pass in 0..<200 { loop.pass(["a": pass % 2 == 0 ? 2 : 2.2, "b": pass % 20 == 9 ? 15 : 3]) }
    let blame = try loop.blame(refresh: 10)
    #expect(blame.hitches.count == 10)
    let confidence = try #require(blame.causes.first?.confidence)
    #expect(blame.causes[0].path == ["frame", "b"])
    #expect(confidence.first == 1)
    #expect(confidence.blame.contains(blame.causes[0].blame))
    #expect(try loop.blame(refresh: 10).causes == blame.causes)
  }
}
