import Testing

@testable import Accuracy

/// What a cause is said to have done, where that is known without running anything again.
@Suite struct TruthTests {
  /// A run with one cause, or with none.
  private func plan(_ injection: Injection?, isPresented: Bool, amount: Int64 = 40_000_000) -> Plan
  {
    var cell = Cell(name: "test", isPresented: isPresented, rate: 0)
    cell.frameCount = 80
    var plan = Plan(cell: cell, seed: 5)
    if let injection { plan[40, injection] = amount }
    return plan
  }

  @Test(arguments: Injection.base, [false, true])
  func oneCauseAloneHasAllOfIt(injection: Injection, isPresented: Bool) {
    let truth = Truth(of: plan(injection, isPresented: isPresented))
    // A display link doesn't wait for what comes behind the loop.
    guard isPresented || injection != .draw else {
      #expect(truth.outcome.hitches == [])
      return
    }
    #expect(truth.outcome.hitches.first == 40)
    #expect(truth.shares(of: 40) == [injection: 1])
    #expect(truth.ratioWithout[injection] == 0)
  }

  @Test func twoCausesThatAreAlikeShare() throws {
    var plan = plan(.flush, isPresented: false, amount: 15_000_000)
    plan[40, .measure] = 15_000_000
    let shares = try #require(Truth(of: plan).shares(of: 40))
    #expect(abs((shares[.flush] ?? 0) - 0.5) < 0.001)
    #expect(abs((shares[.measure] ?? 0) - 0.5) < 0.001)
  }

  @Test(arguments: Cell.all) func theTruthAddsUp(cell: Cell) {
    let truth = Truth(of: Plan(cell: cell.shortened(to: 120), seed: 11))
    #expect(!truth.injections.isEmpty)
    for frame in truth.natural.indices { #expect(abs(truth.residual(of: frame)) < 0.01) }
  }

  @Test func aFrameWithoutACauseHasNoLabel() {
    var plan = plan(nil, isPresented: false)
    plan[40, .flush] = 1
    let truth = Truth(of: plan)
    #expect((0..<80).allSatisfy { truth.shares(of: $0) == nil })
  }
}
