import Testing

@testable import Accuracy

/// How methods are judged, and that the simpler ones find what they can find.
@Suite struct JudgeTests {
  @Test func theTruthItselfIsPerfect() {
    var score = Score()
    score.add([.injection(.flush): 0.7, .injection(.draw): 0.3], truth: [.flush: 0.7, .draw: 0.3])
    #expect(score.precision == 1 && score.recall == 1 && score.shareError == 0)
  }

  @Test func whatIsWrongIsCountedAsWrong() {
    var score = Score()
    score.add(
      [.other("a"): 0.4, .other("b"): 0.3, .injection(.flush): 0.3], truth: [.flush: 1])
    #expect(score.precision == 0 && score.recall == 1 && abs(score.shareError - 0.7) < 1e-12)
    score.add([.other("a"): 1], truth: [.flush: 1])
    #expect(score.precision == 0 && score.recall == 0.5 && abs(score.shareError - 0.85) < 1e-12)
  }

  @Test func ranksThatAreAlikeCorrelate() throws {
    let same = try #require(RankCorrelation.spearman([(1, 10), (2, 20), (3, 90)]))
    #expect(abs(same - 1) < 1e-12)
    let opposite = try #require(RankCorrelation.spearman([(1, 9), (2, 8), (3, 1)]))
    #expect(abs(opposite + 1) < 1e-12)
    // Ranks 1, 2, 3, 4 and 1, 2.5, 2.5, 4.
    let tied = try #require(RankCorrelation.spearman([(1, 1), (2, 5), (3, 5), (4, 9)]))
    #expect(abs(tied - 0.9486832980505138) < 1e-12)
    #expect(RankCorrelation.spearman([(1, 1), (2, 1)]) == nil)
  }

  /// The first cause that a method names for a frame with one injection.
  private func first(
    _ method: Baselines.Method, _ injection: Injection, isPresented: Bool = false
  ) -> CauseKey? {
    var cell = Cell(name: "test", isPresented: isPresented, rate: 0)
    cell.frameCount = 60
    var plan = Plan(cell: cell, seed: 5)
    plan[40, injection] = 40_000_000
    var simulation = Simulation(plan, log: Timeline())
    simulation.run()
    let baselines = Baselines(of: simulation.log, outcome: simulation.outcome, plan: plan)
    return baselines.shares(of: 40)[method]?.ranked.first?.key
  }

  @Test(arguments: Injection.base) func theCriticalPathLeadsToEachCause(injection: Injection) {
    #expect(first(.criticalPath, injection, isPresented: true) == .injection(injection))
  }

  @Test(arguments: Baselines.Method.allCases) func eachMethodFindsASlowSpan(
    method: Baselines.Method
  ) {
    #expect(first(method, .flush) == .injection(.flush))
  }

  @Test(arguments: [Baselines.Method.differential, .previousFrame, .selfMain, .stackKey])
  func theLoopAloneDoesNotShowWhatItWaitsFor(method: Baselines.Method) {
    #expect(first(method, .parse) == .other("await"))
  }
}
