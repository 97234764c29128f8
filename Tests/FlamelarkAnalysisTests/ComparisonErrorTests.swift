import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// How often a comparison is wrong; `Scripts/gate-check` does the same with real runs.
@Suite struct ComparisonErrorTests {
  @Test(arguments: [3, 5])
  func setsOfTheSameRunsRarelyDiffer(_ side: Int) throws {
    let pool = try ComparedLoop(lateShare: 0.15).runs(1..<16)
    var generator = SeededGenerator(seed: 11)
    func draw() -> [RunFigures] {
      (0..<side).map { _ in pool[Int.random(in: pool.indices, using: &generator)] }
    }
    var told = 0
    var causes = 0
    for _ in 0..<400 {
      let comparison = Comparison(draw(), draw())
      if comparison.verdict == .worse || comparison.verdict == .better { told += 1 }
      if comparison.causes.contains(where: { $0.verdict != .noChange }) { causes += 1 }
    }
    // 3 % are meant; 20 of 400 is 5 %.
    #expect(told <= 20, "\(told) of 400")
    #expect(causes <= 20, "\(causes) of 400")
  }

  @Test func theLeastChangeThatIsToldOfIsFoundInFourOfFiveTries() throws {
    let pool = try ComparedLoop(lateShare: 0.15).runs(1..<31)
    var generator = SeededGenerator(seed: 5)
    let side = 10
    func draw() -> [RunFigures] {
      (0..<side).map { _ in pool[Int.random(in: pool.indices, using: &generator)] }
    }
    // The least change as sets of these runs tell it, on average.
    let told = (0..<50).reduce(0.0) { sum, _ in sum + Comparison(draw(), draw()).ratio.leastSeen }
    let more = told / 50 / 1000
    var found = 0
    for _ in 0..<400 {
      let later = draw().map { run in
        var run = run
        run.whole.hitchTime = run.hitchTime + Int64(Double(run.activeTime) * more)
        return run
      }
      if Comparison(draw(), later).verdict == .worse { found += 1 }
    }
    #expect((280...380).contains(found), "\(found) of 400")
  }
}
