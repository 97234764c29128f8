import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Loops whose slow spans are known, because they were made slow here.
@Suite struct BlameTruthTests {
  /// What was done to a loop, and what the engine says.
  struct Run {
    var blame: Blame
    /// The span that was made slow in a frame.
    var slowed: [Int: String] = [:]
  }

  private static let leaves = ["measure", "place", "decode", "scale", "text", "fill", "upload"]

  /// 400 passes of about 9 ms, each part with noise of its own; in every twelfth or so one leaf
  /// takes 10 to 20 ms more. The frame may take 16 ms.
  func run(seed: UInt64, noise: Double) throws -> Run {
    var random = SeededGenerator(seed: seed)
    var loop = LoopBuilder()
    var slowed: [Int: String] = [:]
    for pass in 0..<400 {
      var extra: [String: Double] = [:]
      if Int.random(in: 0..<12, using: &random) == 0 {
        let leaf = Self.leaves.randomElement(using: &random) ?? "text"
        extra[leaf] = .random(in: 10...20, using: &random)
        slowed[pass] = leaf
      }
      func time(_ leaf: String, _ usual: Double) -> Int64 {
        .ms(usual * .random(in: 1 - noise...1 + noise, using: &random) + (extra[leaf] ?? 0))
      }
      loop.pass { frame in
        frame.span("layout") { layout in
          layout.span("measure", lasting: time("measure", 1.5))
          layout.span("place", lasting: time("place", 0.5))
        }
        frame.pass(time("", 0.3))
        frame.span("images") { images in
          images.span("decode", lasting: time("decode", 1))
          images.span("scale", lasting: time("scale", 0.7))
        }
        frame.span("draw") { draw in
          draw.span("text", lasting: time("text", 2))
          draw.span("fill", lasting: time("fill", 2))
          draw.span("upload", lasting: time("upload", 0.5))
        }
      }
    }
    return Run(blame: try loop.blame(refresh: 16), slowed: slowed)
  }

  @Test(arguments: Array<UInt64>(1...12)) func theSlowedSpanComesFirstAndLittleIsOther(
    seed: UInt64
  ) throws {
    let run = try run(seed: seed, noise: 0.3)
    #expect(run.blame.hitches.count > 15, "seed \(seed)")
    var named: Int64 = 0
    for hitch in run.blame.hitches {
      let leaf = try #require(run.slowed[hitch.frame.number], "a frame was late by itself")
      let first = try #require(hitch.causes.first)
      #expect(first.path.last == leaf, "frame \(hitch.frame.number), seed \(seed)")
      named += hitch.causes.filter { $0.path.last == leaf }.total
    }
    let total = run.blame.frames.hitchTime
    // 10 to 20 ms stand against noise of at most 0.6 ms a span.
    #expect(run.blame.causes.other * 100 <= total, "other is over 1 %, seed \(seed)")
    #expect(named * 100 >= total * 90, "less than 90 % is named, seed \(seed)")
  }

  @Test(arguments: Array<UInt64>(1...6)) func twoSlowedSpansShareByTheirExcess(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var loop = LoopBuilder()
    var truth: [Int: (Double, Double)] = [:]
    for pass in 0..<200 {
      var (a, b) = (
        Double.random(in: 2.8...3.2, using: &random), Double.random(in: 3.8...4.2, using: &random)
      )
      if pass % 10 == 5 {
        truth[pass] = (
          .random(in: 4...12, using: &random), .random(in: 4...12, using: &random)
        )
      }
      a += truth[pass]?.0 ?? 0
      b += truth[pass]?.1 ?? 0
      loop.pass(["layout": a, "draw": b, "": 1])
    }
    let blame = try loop.blame(refresh: 14)
    #expect(!blame.hitches.isEmpty)
    for hitch in blame.hitches {
      let (a, b) = try #require(truth[hitch.frame.number])
      let share = Double(hitch.causes.blame(of: "frame", "layout")) / Double(hitch.lateness)
      #expect(abs(share - a / (a + b)) < 0.05, "frame \(hitch.frame.number), seed \(seed)")
    }
  }
}
