import FlamelarkTrace
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Runs of a loop whose frames may take 20 ms, some of them late, as numbers from a seed say.
struct ComparedLoop {
  /// In what part of its frames the last span is slow.
  var lateShare = 0.1
  /// How many ms it takes then, at most above 15.
  var extent = 12.0
  /// The name of that span.
  var name = "load"
  var frames = 150

  func trace(seed: UInt64) throws -> Trace {
    var loop = LoopBuilder()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<frames {
      let isLate = Double.random(in: 0..<1, using: &generator) < lateShare
      let time = isLate ? 15 + Double.random(in: 0..<extent, using: &generator) : 3
      loop.pass(["update": 6, name: time])
    }
    return try loop.builder.build()
  }

  func run(seed: UInt64, ranges: [Range<Int64>]? = nil) throws -> RunFigures {
    let trace = try trace(seed: seed)
    guard let series = trace.frames(named: "frame", refresh: .ms(20)) else {
      throw TraceIssue.noFrames
    }
    return RunFigures(of: trace, series: series, ranges: ranges)
  }

  func runs(_ seeds: Range<UInt64>) throws -> [RunFigures] { try seeds.map { try run(seed: $0) } }

  enum TraceIssue: Error {
    case noFrames
  }
}
