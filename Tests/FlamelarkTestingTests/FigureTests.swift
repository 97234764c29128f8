import Flamelark
import FlamelarkTesting
import Testing

/// Figures of frames whose times are given, by arithmetic.
@Suite struct FigureTests {
  private static let link = SimulatedLink("figures")

  /// One iteration for each row of milliseconds.
  private func measure(_ rows: [[Int]], skipping warmUp: WarmUp = .nothing) throws -> Hitches {
    var rest = rows[...]
    return try measureAlone(iterations: rows.count, skipping: warmUp) {
      Self.link.run(rest.removeFirst())
    }
  }

  @Test func iterationsArePooled() throws {
    let hitches = try measure([[10, 10, 30], [10, 10, 10], [10, 20, 10, 40]])
    #expect(hitches.series == "figures")
    #expect(hitches.iterations.map(\.number) == [1, 2, 3])
    #expect(hitches.iterations.map(\.count) == [1, 0, 2])
    #expect(
      hitches.iterations.map(\.totalLateness)
        == [.milliseconds(20), .zero, .milliseconds(40)])
    #expect(
      hitches.iterations.map(\.activeTime)
        == [.milliseconds(50), .milliseconds(30), .milliseconds(80)])
    #expect(hitches.ratios == [400, 0, 500])
    #expect(hitches.p50Ratio == 400)
    #expect(hitches.p90Ratio == 500)
    #expect(hitches.count == 3)
    #expect(hitches.totalLateness == .milliseconds(60))
    #expect(hitches.activeTime == .milliseconds(160))
    #expect(hitches.ratio == 375)
    #expect(hitches.frameCount == 10)
    #expect(hitches.framesPerSecond == 62.5)
    #expect(
      hitches.worst == hitches.iterations[2].worst
        && hitches.worst?.lateness == .milliseconds(30) && hitches.worst?.number == 3
        && hitches.worst?.iteration == 3)
    #expect(hitches.iterations[1].worst == nil)
    #expect(hitches.causes.reduce(.zero) { $0 + $1.blame } == hitches.totalLateness)
  }

  @Test func ofEqualsTheFirstIsTheWorst() throws {
    let hitches = try measure([[10, 30, 30], [30, 10]])
    #expect(hitches.worst?.iteration == 1)
    #expect(hitches.worst?.number == 1)
  }

  @Test func framesInTimeHaveNoHitches() throws {
    let hitches = try measure([[10, 9, 10, 10]])
    #expect(hitches.ratio == 0)
    #expect(hitches.count == 0)
    #expect(hitches.worst == nil)
    #expect(hitches.causes.isEmpty)
    #expect(hitches.explained == 1)
    #expect(hitches.frameCount == 4)
  }

  @Test(arguments: [(1, 0), (2, 200)])
  func thePercentilesAreByNearestRank(late: Int, p90: Double) throws {
    let rows = (0..<10).map { $0 < late ? [10, 20, 10, 10] : [10, 10] }
    let hitches = try measure(rows)
    #expect(hitches.p50Ratio == 0)
    #expect(hitches.p90Ratio == p90)
  }

  @Test(arguments: [
    (WarmUp.nothing, 4, 40), (.frames(1), 3, 20), (.frames(3), 1, 20), (.milliseconds(30), 3, 20),
    (.milliseconds(31), 2, 20), (.seconds(0.031), 2, 20), (.time(.microseconds(1)), 3, 20),
  ])
  func theWarmUpIsLeftOutOfEachIteration(warmUp: WarmUp, frames: Int, late: Int) throws {
    // Frames begin at 0, 30, 40 and 50 ms.
    let hitches = try measure([[30, 10, 10, 30], [30, 10, 10, 30]], skipping: warmUp)
    #expect(hitches.frameCount == 2 * frames)
    #expect(hitches.totalLateness == .milliseconds(2 * late))
    #expect(hitches.causes.reduce(.zero) { $0 + $1.blame } == hitches.totalLateness)
  }

  @Test func droppedFramesAreNotCounted() throws {
    let frames = FrameSeries("dropped", refresh: .every(.milliseconds(10)))
    let hitches = try measureAlone {
      let start = SuspendingClock.now
      for number in 0..<5 {
        let due = start + .milliseconds(10 * (number + 1))
        let frame = frames.begin(timestamp: due - .milliseconds(10), target: due)
        let id = frame.id
        frame.end()
        if number == 2 { frames.discarded(id) } else { frames.presented(id, at: due) }
      }
    }
    // The first one shown has nothing before it, the third was dropped and is the fourth's lateness.
    #expect(hitches.frameCount == 3)
    #expect(hitches.totalLateness == .milliseconds(10))
    #expect(hitches.ratio == 250)
  }

  @Test func onlyTheNamedSeriesCounts() throws {
    let other = SimulatedLink("other")
    let hitches = try measureAlone(series: "figures") {
      other.run([50, 50, 50])
      Self.link.run([10, 20])
    }
    #expect(hitches.series == "figures")
    #expect(hitches.frameCount == 2)
    #expect(hitches.totalLateness == .milliseconds(10))
  }

  @Test func onlyFramesWithinTheActivityCount() throws {
    let frames = FrameSeries("activity", refresh: .every(.milliseconds(50)))
    let hitches = try measureAlone(iterations: 2, activity: "scroll") {
      for _ in 0..<3 { frames.mark() }
      let pause = ContinuousClock.now + .milliseconds(60)
      while ContinuousClock.now < pause {}
      frames.mark()
      let scroll = frames.beginActivity("scroll")
      for _ in 0..<5 { frames.mark() }
      scroll.end()
      frames.mark()
    }
    // The frame that was begun before it and ends in it is not in it.
    #expect(hitches.iterations.map(\.frameCount) == [5, 5])
    #expect(hitches.activeTime < .seconds(30))
  }
}
