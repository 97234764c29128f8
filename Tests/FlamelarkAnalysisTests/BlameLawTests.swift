import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// What holds for every trace, on random ones.
@Suite struct BlameLawTests {
  /// A trace with spans of few names at random, and a series of any mode over it.
  func randomTrace(seed: UInt64) throws -> Trace {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder()
    let trackCount = Int.random(in: 1...2, using: &random)
    for track in 0..<trackCount {
      builder.track("thread \(track)")
      while builder.now < .ms(600) {
        addSpan(to: &builder, depth: 0, random: &random)
        builder.pass(.random(in: 0...(.ms(3)), using: &random))
      }
    }
    let mode = [Trace.FrameSeries.Mode.marks, .displayLink, .spans].randomElement(using: &random)
    guard let mode, mode != .spans else {
      var trace = try builder.build()
      let refresh = Bool.random(using: &random) ? Int64.ms(4) : nil
      trace.frameSeries = [try #require(trace.frames(named: "a", refresh: refresh))]
      return trace
    }
    let tags = [nil, builder.name("scroll"), builder.name("menu")]
    var frames: [Trace.Frame] = []
    var now = Int64.random(in: 0...(.ms(20)), using: &random)
    while now < .ms(600) {
      let interval = [Int64.ms(8), .ms(16)].randomElement(using: &random) ?? .ms(8)
      var frame = Trace.Frame.displayLink(
        at: now, target: now + interval, begin: now,
        end: now + .random(in: 0...interval, using: &random),
        track: .random(in: 0..<trackCount, using: &random))
      if Bool.random(using: &random) { frame.tag = tags.randomElement(using: &random) ?? nil }
      frame.beginsSegment = Int.random(in: 0..<20, using: &random) == 0
      if Int.random(in: 0..<20, using: &random) == 0 { frame.isRequested = false }
      frames.append(frame)
      now += interval + Int64.random(in: 0...4, using: &random) / 3 * .ms(5)
    }
    builder.frames("loop", mode: mode, frames)
    return try builder.build()
  }

  private func addSpan(
    to builder: inout TraceBuilder, depth: Int, random: inout SeededGenerator
  ) {
    builder.span(["a", "b", "c", "d", "e"].randomElement(using: &random) ?? "a") { span in
      for _ in 0..<Int.random(in: 0...(depth < 4 ? 3 : 0), using: &random) {
        span.pass(.random(in: 0...500_000, using: &random))
        addSpan(to: &span, depth: depth + 1, random: &random)
      }
      span.pass(.random(in: 0...1_500_000, using: &random))
    }
  }

  @Test(arguments: Array<UInt64>(1...150)) func causesAddUpToLatenessExactly(seed: UInt64) throws {
    let trace = try randomTrace(seed: seed)
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    for hitch in blame.hitches {
      #expect(hitch.causes.total == hitch.lateness, "frame \(hitch.frame.number), seed \(seed)")
      #expect(hitch.causes.allSatisfy { $0.blame > 0 }, "seed \(seed)")
      #expect(abs(hitch.causes.reduce(0) { $0 + $1.share } - 1) < 1e-9, "seed \(seed)")
      let keys = Set(hitch.causes.map { "\($0.kind) \($0.path)" })
      #expect(keys.count == hitch.causes.count, "a cause stands there twice, seed \(seed)")
    }
    #expect(blame.causes.total == blame.frames.hitchTime, "seed \(seed)")
    #expect(blame.hitches.reduce(0) { $0 + $1.lateness } == blame.frames.hitchTime)
    #expect(blame.causes.reduce(0) { $0 + $1.topCount } == blame.hitches.count, "seed \(seed)")
    for cause in blame.causes {
      let bears = blame.hitches.flatMap(\.causes).filter {
        $0.kind == cause.kind && $0.path == cause.path
      }
      #expect(bears.reduce(0) { $0 + $1.blame } == cause.blame, "\(cause.path), seed \(seed)")
      #expect(bears.count == cause.hitchCount, "\(cause.path), seed \(seed)")
    }
  }

  @Test(arguments: Array<UInt64>(1...20)) func theSameTraceIsBlamedTheSame(seed: UInt64) throws {
    let trace = try randomTrace(seed: seed)
    let first = Blame(of: trace, series: trace.frameSeries[0])
    let second = Blame(of: try randomTrace(seed: seed), series: trace.frameSeries[0])
    #expect(first.hitches.map(\.causes) == second.hitches.map(\.causes), "seed \(seed)")
    #expect(first.causes == second.causes, "seed \(seed)")
    let sorted = first.causes.map(\.blame).sorted(by: >)
    #expect(first.causes.map(\.blame) == sorted, "seed \(seed)")
  }

  /// Law 5: a span that takes in every late frame what it takes in good ones bears nothing.
  @Test(arguments: Array<UInt64>(1...40)) func aSpanWithoutExcessBearsNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var loop = LoopBuilder()
    for _ in 0..<80 {
      let a = Int64.random(in: .ms(2)...(.ms(9)), using: &random)
      loop.pass { frame in
        frame.span("dummy") { $0.span("inner", lasting: .ms(3)) }
        frame.span("a", lasting: a)
      }
    }
    let blame = try loop.blame(refresh: 11)
    #expect(!blame.hitches.isEmpty)
    for hitch in blame.hitches {
      #expect(hitch.causes.allSatisfy { !$0.path.contains("dummy") }, "seed \(seed)")
    }
  }

  /// Law 6: what a span and all below it bear doesn't change when it is split into two children.
  @Test(arguments: Array<UInt64>(1...40)) func aSplitSpanBearsWhatItBoreWhole(seed: UInt64) throws {
    func blame(split: Bool) throws -> Blame {
      var random = SeededGenerator(seed: seed)
      var loop = LoopBuilder()
      for pass in 0..<80 {
        let isSlow = pass % 9 == 5
        let a = Int64.random(in: .ms(2)...(.ms(3)), using: &random) + (isSlow ? .ms(6) : 0)
        let b = Int64.random(in: .ms(2)...(.ms(3)), using: &random) + (isSlow ? .ms(3) : 0)
        let cut = Int64.random(in: 0...a, using: &random)
        loop.pass { frame in
          frame.span("a") { span in
            if split {
              span.span("first", lasting: cut)
              span.span("second", lasting: a - cut)
            } else {
              span.pass(a)
            }
          }
          frame.span("b", lasting: b)
        }
      }
      return try loop.blame(refresh: 10)
    }
    let (whole, parts) = (try blame(split: false), try blame(split: true))
    #expect(!whole.hitches.isEmpty)
    for (one, other) in zip(whole.hitches, parts.hitches) {
      let under = other.causes.filter { $0.path.starts(with: ["frame", "a"]) }
      #expect(under.total == one.causes.blame(of: "frame", "a"), "seed \(seed)")
    }
  }
}
