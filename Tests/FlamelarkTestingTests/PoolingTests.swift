import FlamelarkTesting
import Testing

/// Causes of several iterations taken together, by arithmetic.
@Suite struct PoolingTests {
  @Test func theSameCauseIsOne() throws {
    let hitches = try IterationsByHand(iterations: [
      .init(
        seconds: 1,
        parts: [
          .init(path: ["layout", "text"], milliseconds: 30, line: 4, ifNormal: 10),
          .init(path: ["draw"], milliseconds: 10, ifNormal: 35),
        ]),
      .init(seconds: 2, parts: []),
      .init(
        seconds: 1,
        parts: [
          .init(path: ["layout", "text"], milliseconds: 40, line: 5, ifNormal: 0),
          .init(thread: "worker", path: ["draw"], milliseconds: 20, ifNormal: nil),
        ]),
    ]).hitches()
    #expect(hitches.ratio == 25)
    #expect(hitches.causes.map(\.name) == ["layout > text", "worker: draw", "draw"])
    #expect(hitches.causes.map(\.path) == [["layout", "text"], ["draw"], ["draw"]])
    #expect(
      hitches.causes.map(\.blame) == [.milliseconds(70), .milliseconds(20), .milliseconds(10)])
    #expect(hitches.causes.map(\.ratio) == [17.5, 5, 2.5])
    #expect(hitches.causes.map(\.share) == [0.7, 0.2, 0.1])
    #expect(hitches.causes.map(\.hitchCount) == [2, 1, 1])
    // Where most of it was.
    #expect(hitches.causes.map(\.line) == [5, 1, 1])
    // 10 ms are left of the first second and none of the last; 35 of the first and all 60 of the last.
    #expect(hitches.causes.map(\.ratioIfNormal) == [2.5, nil, 23.75])
  }

  @Test func equalCausesStayInTheirOrder() throws {
    let names = ["c", "a", "b"]
    let hitches = try IterationsByHand(iterations: [
      .init(seconds: 1, parts: names.map { .init(path: [$0], milliseconds: 5) })
    ]).hitches()
    #expect(hitches.causes.map(\.name) == names)
  }

  @Test func whatIsExplainedIsWeighedByLateness() throws {
    let hitches = try IterationsByHand(iterations: [
      .init(seconds: 1, parts: [.init(path: ["a"], milliseconds: 30)], explained: 1),
      .init(seconds: 1, parts: [.init(path: ["a"], milliseconds: 10)], explained: 0.2),
    ]).hitches()
    #expect(abs(hitches.explained - 0.8) < 1e-12)
  }
}
