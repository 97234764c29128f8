import FlamelarkAnalysis
import FlamelarkTrace
import Foundation
import Testing

@testable import Accuracy

/// The simulated program, by itself and against the engine's rule of lateness.
@Suite struct ModelTests {
  private func outcome(of plan: Plan, scale: [Double]? = nil) -> Outcome {
    var simulation = Simulation(
      plan, scale: scale ?? Simulation<NoLog>.everything, log: NoLog())
    simulation.run()
    return simulation.outcome
  }

  @Test(arguments: Cell.all) func aSeedGivesTheSameBytesEachTime(cell: Cell) {
    let cell = cell.shortened(to: 60)
    let first = Trial.trace(of: Plan(cell: cell, seed: 7))
    #expect(first == Trial.trace(of: Plan(cell: cell, seed: 7)))
    #expect(first != Trial.trace(of: Plan(cell: cell, seed: 8)))
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func theEngineFindsTheSameFramesLate(seed: UInt64) throws {
    for cell in Cell.all {
      let plan = Plan(cell: cell.shortened(to: 400), seed: seed)
      let path = NSTemporaryDirectory() + "/accuracy-\(UUID().uuidString).lark"
      try Trial.trace(of: plan).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      #expect(trace.issues == [], "\(cell.name), seed \(seed)")
      let series = try #require(trace.frameSeries.first { $0.name == plan.names.series })
      let judged = JudgedFrames(of: series, in: trace)
      let outcome = outcome(of: plan)
      #expect(judged.frames.map(\.lateness) == outcome.lateness, "\(cell.name), seed \(seed)")
      #expect(judged.activeTime == outcome.activeTime, "\(cell.name), seed \(seed)")
    }
  }

  @Test(arguments: Cell.all) func causesThatAreTakenOutLeaveNoTrace(cell: Cell) {
    var plan = Plan(cell: cell.shortened(to: 300), seed: 3)
    // Who keeps the lock for long takes it early: that is part of the plan and not of the cause.
    for frame in 0..<plan.frameCount {
      for injection in [Injection.save, .inversion] { plan[frame, injection] = 0 }
    }
    var bare = plan
    for frame in 0..<plan.frameCount {
      for injection in plan.injections { bare[frame, injection] = 0 }
    }
    let zero = Simulation<NoLog>.everything.map { _ in 0.0 }
    #expect(!plan.injections.isEmpty && bare.injections.isEmpty)
    #expect(outcome(of: plan, scale: zero).rawLateness == outcome(of: bare).rawLateness)
  }

  @Test func drawsHaveTheMeanTheyAreAskedFor() {
    var draws = Draws(seed: 1, purpose: "test")
    for shape in [2.0, 9, 40] {
      let values = (0..<20_000).map { _ in draws.gamma(shape: shape, mean: 3) }
      let mean = values.reduce(0, +) / 20_000
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
      #expect(abs(mean - 3) < 0.05, "shape \(shape)")
      #expect(abs(variance - 9 / shape) < 0.1 * 9 / shape, "shape \(shape)")
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func namesAreDifferentWords(seed: UInt64) {
    let names = Names(seed: seed)
    let all =
      Role.allCases.map { names[$0] } + Thread.allCases.map { names[$0] }
      + [names.series, names.otherSeries]
    #expect(Set(all).count == all.count)
    for role in Role.allCases { #expect(names.role(named: names[role]) == role) }
    for thread in Thread.allCases { #expect(names.thread(named: names[thread]) == thread) }
  }
}

extension Cell {
  /// With fewer frames, for tests.
  func shortened(to frameCount: Int) -> Cell {
    var cell = self
    cell.frameCount = frameCount
    return cell
  }
}
