import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// Filters fold, they don't forget.
  @Suite struct FoldTests {
    @Test func shortSpansAreSummedUpUnderTheSpanAroundThem() throws {
      let trace = try record(.init(minimumDuration: .milliseconds(5))) {
        withSpan("around") {
          for _ in 0..<10 { withSpan("short") {} }
          withSpan("kept") { usleep(6000) }
          for _ in 0..<3 { withSpan("short") {} }
          withSpan("other") {}
        }
        withSpan("top") {}
      }
      #expect(trace.outline(ofTrack: 0) == "around(kept)")
      let sums = trace.sums()
      #expect(
        sums.map(\.line)
          == ["top in - × 1", "other in around × 1", "short in around × 13"].sorted())
      #expect(sums.allSatisfy { $0.total > 0 && $0.total == $0.selfTime && $0.longest <= $0.total })
      #expect(trace.tracks[0].counts.belowMinimum == 15)
    }

    @Test func whatRanInALeftOutSpanMovesOutWithIt() throws {
      let trace = try record(.init(minimumDuration: .milliseconds(5))) {
        withSpan("around") {
          withSpan("outer") {
            withSpan("inner") {}
            withSpan("inner") {}
          }
          usleep(6000)
        }
      }
      let sums = trace.sums()
      #expect(sums.map(\.line) == ["inner in around × 2", "outer in around × 1"])
      // Ticks are turned into nanoseconds one by one.
      #expect(abs(sums[1].selfTime - (sums[1].total - sums[0].total)) <= 2)
    }

    @Test func spansOverTheGreatestDepthAreCountedWhereTheyRan() throws {
      let trace = try record(.init(maximumDepth: 2)) {
        withSpan("a") {
          withSpan("b") { for _ in 0..<5 { withSpan("c") { withSpan("d") {} } } }
          withSpan("e") { withSpan("f") {} }
        }
        withSpan("g") { withSpan("h") {} }
      }
      #expect(trace.outline(ofTrack: 0) == "a(b e) g(h)")
      #expect(trace.sums().map(\.line) == ["(deeper) in b × 10", "(deeper) in e × 1"].sorted())
      #expect(trace.tracks[0].counts.overDepth == 11)
    }

    @Test func sumsAreDividedBetweenFrames() throws {
      let trace = try record(.init(minimumDuration: .milliseconds(5))) {
        let frames = FrameSeries("loop", refresh: .hertz(60))
        withSpan("run") {
          frames.mark()
          for _ in 0..<4 { withSpan("short") {} }
          frames.mark()
          for _ in 0..<7 { withSpan("short") {} }
          frames.mark()
          usleep(6000)
        }
      }
      let frames = try #require(trace.frameSeries.first).frames
      let counts = trace.folded.map { fold in
        frames.lastIndex { $0.begin <= fold.range.lowerBound }.map { ($0, fold.count) }
      }
      #expect(counts.map { $0?.0 } == [0, 1])
      #expect(counts.map { $0?.1 } == [4, 7])
      #expect(trace.folded.allSatisfy { $0.parent == 0 })
    }

    @Test func moreSumsThanThereIsRoomForAreAllThere() throws {
      let trace = try record(.init(minimumDuration: .milliseconds(200))) {
        withSpan("around") {
          for _ in 0..<3 { callManySites() }
          usleep(201_000)
        }
      }
      let sums = trace.sums()
      #expect(sums.count == 200)
      #expect(sums.allSatisfy { $0.line.hasSuffix("in around × 3") })
    }

    @Test func aKilledProgramKeepsItsSums() throws {
      let folder = TemporaryFolder()
      #expect(try Probe.run("kill-folding", folder.file("t.lark")).status == SIGKILL)
      let trace = try Trace(contentsOf: folder.file("t.lark"))
      try trace.checkInvariants()
      #expect(trace.sums().map(\.line) == ["short in outer × 1000"])
      #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["outer"])
    }

    /// The same calls at the same ticks, once with the filters and once without: what was folded is
    /// what is missing, tick by tick.
    @Test func withItsSumsAFilteredRecordingHasTheTicksOfAnUnfilteredOne() throws {
      for round in 0..<30 {
        let seed = UInt64.random(in: 0...UInt64.max)
        let minimum = [0, 3, 10, 40][round % 4]
        let depth = [255, 4, 3, 2][round / 4 % 4]
        let whole = try replay(seed: seed)
        let filtered = try replay(
          seed: seed, .init(maximumDepth: depth, minimumDuration: .nanoseconds(minimum)))
        let expected = whole.ledger(
          leavingOutBelow: { _ in Int64(minimum) }, over: { _ in depth })
        let difference = filtered.ledger().difference(from: expected)
        #expect(
          difference.isEmpty,
          "seed \(seed) minimum \(minimum) depth \(depth): \(difference.prefix(3))")
      }
    }

    /// The same where names and a category have limits of their own, some below what holds for all.
    @Test func soHasOneThatIsFilteredByNamesAndCategories() throws {
      for round in 0..<30 {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let shortest = [0, 0, 6, 15][round % 4]
        let (x, y) = (
          Int.random(in: 0...20, using: &random), Int.random(in: 0...20, using: &random)
        )
        let (deepX, deepZ) = (
          Int.random(in: 0...5, using: &random), Int.random(in: 2...255, using: &random)
        )
        let options = Recording.Options(
          maximumDepth: 5, minimumDuration: .nanoseconds(shortest),
          filters: [
            .name("x", deeperThan: 3, shorterThan: .nanoseconds(1)),
            .category("letters", shorterThan: .nanoseconds(y)),
            .name("x", deeperThan: deepX, shorterThan: .nanoseconds(x)),
            .category("last", deeperThan: deepZ),
          ])
        let expected = try replay(seed: seed).ledger(
          leavingOutBelow: { Int64($0 == "x" ? x : $0 == "y" ? y : shortest) },
          over: { $0 == "x" ? min(5, deepX) : $0 == "z" ? min(5, deepZ) : 5 })
        let difference = try replay(seed: seed, options).ledger().difference(from: expected)
        #expect(
          difference.isEmpty,
          "seed \(seed) x \(x) deeper than \(deepX) y \(y): \(difference.prefix(3))")
      }
    }

    /// A random tree of calls, with a clock that follows from the seed.
    private func replay(seed: UInt64, _ options: Recording.Options = .init()) throws -> Trace {
      var options = options
      options.usesProcessorCounter = false
      TestClock.install()
      defer { TestClock.remove() }
      return try record(options) {
        var random = SeededGenerator(seed: seed)
        withSpan("run") {
          for _ in 0..<60 { call(depth: 1, random: &random) }
          TestClock.advance(1000)
        }
      }
    }

    private func call(depth: Int, random: inout SeededGenerator) {
      func body(_ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 0...(depth < 6 ? 3 : 0), using: &random) {
          call(depth: depth + 1, random: &random)
        }
        // No two spans begin at one tick, as on a real clock.
        TestClock.advance(Int64.random(in: 1...6, using: &random))
      }
      TestClock.advance(Int64.random(in: 0...2, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: withSpan("x") { body(&random) }
      case 1: withSpan("y", category: "letters") { body(&random) }
      default: withSpan("z", category: "last") { body(&random) }
      }
    }
  }
}
