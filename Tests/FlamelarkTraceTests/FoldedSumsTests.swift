import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Sums in few bytes are those that were put in, whatever their numbers.
@Suite struct FoldedSumsTests {
  private func sum(_ random: inout SeededGenerator) -> Trace.FoldedSpans {
    func number() -> Int64 {
      let edges: [Int64] = [0, 1, 1 << 31 - 2, 1 << 31 - 1, 1 << 32 - 1, 1 << 32, -1, .max, .min]
      return Bool.random(using: &random)
        ? Int64.random(in: 0...10_000, using: &random) : edges.randomElement(using: &random) ?? 0
    }
    let (a, b) = (number(), number())
    return Trace.FoldedSpans(
      reason: Bool.random(using: &random) ? .overDepth : .belowMinimum,
      track: Int.random(in: 0...3, using: &random),
      parent: Bool.random(using: &random) ? Trace.Spans.none : 7,
      site: CallSiteID(UInt32.random(in: 0...UInt32.max, using: &random)),
      range: min(a, b)..<max(a, b), count: Int(number()), total: number(), selfTime: number(),
      longest: number())
  }

  @Test func anySumsComeBackAfterAnyChanges() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      var sums = Trace.FoldedSums()
      var expected: [Trace.FoldedSpans] = []
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let place = Int.random(in: 0...expected.count, using: &random)
        let next = sum(&random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < expected.count:
          sums[place] = next
          expected[place] = next
        case 1 where place < expected.count:
          sums[place].parent = 5
          expected[place].parent = 5
        case 2:
          sums.insert(next, at: place)
          expected.insert(next, at: place)
        case 3:
          sums.removeSubrange(place...)
          expected.removeSubrange(place...)
        default:
          sums.append(next)
          expected.append(next)
        }
      }
      #expect(Array(sums) == expected, "seed \(seed) round \(round)")
      #expect(sums == Trace.FoldedSums(expected), "seed \(seed) round \(round)")
    }
  }
}
