import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

@Suite struct ApportionmentTests {
  func divide(_ amount: Int64, by weights: [Double]) -> [Int64] {
    var apportionment = Apportionment()
    apportionment.divide(amount, by: weights)
    return apportionment.shares
  }

  @Test func theLargestRemaindersGetWhatIsOver() {
    #expect(divide(10, by: [1, 1, 1]) == [4, 3, 3])
    #expect(divide(11, by: [1, 1, 1]) == [4, 4, 3])
    // 0.5, 1.5 and 2: of equal remainders the first comes first.
    #expect(divide(4, by: [1, 3, 4]) == [1, 1, 2])
    // 0.7, 2.1 and 4.2.
    #expect(divide(7, by: [1, 3, 6]) == [1, 2, 4])
    #expect(divide(5, by: [0.25]) == [5])
    #expect(divide(0, by: [1, 2]) == [0, 0])
  }

  @Test(arguments: Array<UInt64>(1...200)) func sharesAddUpAndAreWithinOneOfExact(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let weights = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      Double.random(in: 1...1e9, using: &random)
    }
    let amount = Int64.random(in: 0...10_000_000_000, using: &random)
    let shares = divide(amount, by: weights)
    #expect(shares.reduce(0, +) == amount, "seed \(seed)")
    let sum = weights.reduce(0, +)
    for (share, weight) in zip(shares, weights) {
      #expect(abs(Double(share) - Double(amount) * weight / sum) < 1.1, "seed \(seed)")
    }
  }

  @Test func weightsAndAmountsOfAnySizeAreDivided() {
    #expect(divide(.max, by: [1, 1]).reduce(0, +) == .max)
    #expect(divide(1000, by: [1e-300, 1e300]) == [0, 1000])
    #expect(divide(.max, by: [.greatestFiniteMagnitude, 1]).reduce(0, +) == .max)
  }
}
