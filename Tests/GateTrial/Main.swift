import FlamelarkAnalysis
import FlamelarkTrace
import Foundation
import _FlamelarkTestSupport

/// How often a comparison says what is not so, and how often it finds what is: sets of runs are drawn
/// from recorded ones, and compared by the code of the tool. What Scripts/gate-check runs.
///
///     GateTrial PAIRS SEED FILE…
///
/// Of each number of runs a side that many pairs are drawn, with replacement, both sides from the same
/// runs: whatever is told to differ is a false alarm. Then all lateness of one side is made a tenth
/// longer. Exit status 1: more than 5 % false alarms anywhere with three runs a side or more, or the
/// tenth is found in less than 80 % with 20 runs a side.
@main struct GateTrial {
  static let sides = [1, 3, 5, 10, 20]

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 4, let pairs = Int(words[0]), let seed = UInt64(words[1]) else {
      print("usage: GateTrial PAIRS SEED FILE FILE…")
      exit(2)
    }
    let runs = try words.dropFirst(2).map { path in
      let trace = try Trace(contentsOf: path)
      guard let series = trace.frameSeries.first else { exit(2) }
      return RunFigures(of: trace, series: series)
    }
    let ratios = runs.map(\.hitchRatio)
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(max(1, ratios.count - 1))).squareRoot()
    print(
      "gate-trial: \(runs.count) runs of \(shown(mean)) ms/s, standard deviation "
        + "\(shown(deviation)); \(pairs) pairs, seed \(seed)")
    print("  runs a side   worse  better   cause     new   a tenth worse is found")
    var generator = SeededGenerator(seed: seed)
    var isRight = true
    for side in sides {
      let result = trial(of: runs, side: side, pairs: pairs, &generator)
      print(result.line(side: side, pairs: pairs))
      guard side >= Comparison.leastRuns else { continue }
      let most = pairs / 20
      isRight =
        isRight && result.worse + result.better <= most && result.cause <= most
        && result.new <= most
      if side == 20 { isRight = isRight && result.found * 5 >= pairs * 4 }
    }
    exit(isRight ? 0 : 1)
  }

  /// How often something was told.
  struct Result {
    var worse = 0
    var better = 0
    var cause = 0
    var new = 0
    var found = 0

    func line(side: Int, pairs: Int) -> String {
      func percent(_ count: Int) -> String {
        let text = shown(Double(count) * 100 / Double(pairs)) + " %"
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
      }
      let number = String(side)
      return String(repeating: " ", count: 13 - number.count) + number
        + [worse, better, cause, new, found].map(percent).joined()
    }
  }

  static func trial(
    of runs: [RunFigures], side: Int, pairs: Int, _ generator: inout SeededGenerator
  ) -> Result {
    var result = Result()
    func draw() -> RunFigures { runs[Int.random(in: runs.indices, using: &generator)] }
    for _ in 0..<pairs {
      let a = (0..<side).map { _ in draw() }
      let b = (0..<side).map { _ in draw() }
      let same = Comparison(a, b)
      if same.verdict == .worse { result.worse += 1 }
      if same.verdict == .better { result.better += 1 }
      if same.causes.contains(where: { $0.verdict == .worse || $0.verdict == .better }) {
        result.cause += 1
      }
      if same.causes.contains(where: { $0.verdict == .new || $0.verdict == .gone }) {
        result.new += 1
      }
      if Comparison(a, b.map(\.aTenthLater)).verdict == .worse { result.found += 1 }
    }
    return result
  }
}

/// A number with two decimals.
func shown(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let rest = abs(hundredths) % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

extension RunFigures {
  /// The same run with all lateness a tenth longer.
  fileprivate var aTenthLater: RunFigures {
    var run = self
    run.whole = whole.aTenthLater
    run.blocks = blocks.map(\.aTenthLater)
    return run
  }
}

extension RunFigures.Block {
  fileprivate var aTenthLater: Self {
    var block = self
    block.hitchTime += hitchTime / 10
    block.blame = blame.mapValues { $0 + $0 / 10 }
    return block
  }
}
