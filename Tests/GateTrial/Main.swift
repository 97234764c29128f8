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
/// longer. That is done with runs as they were recorded, and with ones so long, each made of several
/// draws, that they differ by less than a tenth.
///
/// Exit status 1: more than 5 % false alarms of any kind with three runs a side or more, or the tenth is
/// found in less than 80 % with 20 of the long runs. 3: no runs are long enough.
@main struct GateTrial {
  /// How much runs may differ, so that a tenth can be found with 20 a side: 0.1 is at least (t + t′)
  /// standard errors, 3.1 · √(1 + 1.1²) / √20 standard deviations.
  static let greatestDeviation = 0.09
  static let mostDraws = 60

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 4, let pairs = Int(words[0]), pairs > 0, let seed = UInt64(words[1]) else {
      print("usage: GateTrial PAIRS SEED FILE FILE…")
      exit(2)
    }
    let runs = try words.dropFirst(2).map { path in
      let trace = try Trace(contentsOf: path)
      guard let series = trace.frameSeries.first else { exit(2) }
      return RunFigures(of: trace, series: series)
    }
    let (mean, deviation) = spread(of: runs.map(\.hitchRatio))
    guard mean > 0 else {
      print("gate-trial: the runs have no lateness")
      exit(2)
    }
    print(
      "gate-trial: \(runs.count) recorded runs of \(shown(mean)) ms/s, standard deviation "
        + "\(shown(deviation / mean * 100)) %; \(pairs) pairs, seed \(seed)")
    var trial = Trial(runs: runs, pairs: pairs, generator: SeededGenerator(seed: seed))
    print(Trial.header)
    for side in [1, 3, 5, 10, 20] { trial.run(side: side) }
    let relative = deviation / mean / greatestDeviation
    trial.draws = max(1, Int((relative * relative).rounded(.up)))
    guard trial.draws <= mostDraws else {
      print("gate-trial: the runs differ too much: neither pass nor fail")
      exit(3)
    }
    let seconds = Double(runs[0].activeTime) / 1e9 * Double(trial.draws)
    print("runs of \(shown(seconds)) s, each made of \(trial.draws)")
    for side in [3, 5, 10, 20] { trial.run(side: side, mustFind: side == 20) }
    print("gate-trial: \(trial.isRight ? "right" : "WRONG")")
    exit(trial.isRight ? 0 : 1)
  }

  static func spread(of ratios: [Double]) -> (mean: Double, deviation: Double) {
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(max(1, ratios.count - 1))).squareRoot())
  }
}

/// Pairs of sets, drawn and compared.
struct Trial {
  let runs: [RunFigures]
  let pairs: Int
  var generator: SeededGenerator
  /// Of how many recorded runs one is made.
  var draws = 1
  private(set) var isRight = true

  init(runs: [RunFigures], pairs: Int, generator: SeededGenerator) {
    self.runs = runs
    self.pairs = pairs
    self.generator = generator
  }

  static let header =
    "  runs a side   worse  better   cause     new   a tenth worse is found"

  /// Draws sets of some runs a side, and prints a line.
  mutating func run(side: Int, mustFind: Bool = false) {
    var (worse, better, cause, new, found) = (0, 0, 0, 0, 0)
    for _ in 0..<pairs {
      let a = (0..<side).map { _ in draw() }
      let b = (0..<side).map { _ in draw() }
      let same = Comparison(a, b)
      worse += same.verdict == .worse ? 1 : 0
      better += same.verdict == .better ? 1 : 0
      let verdicts = Set(same.causes.map(\.verdict))
      cause += verdicts.isDisjoint(with: [.worse, .better]) ? 0 : 1
      new += verdicts.isDisjoint(with: [.new, .gone]) ? 0 : 1
      found += Comparison(a, b.map(\.aTenthLater)).verdict == .worse ? 1 : 0
    }
    let columns = [worse, better, cause, new, found].map { count in
      let text = shown(Double(count) * 100 / Double(pairs)) + " %"
      return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
    let number = String(side)
    print(String(repeating: " ", count: 13 - number.count) + number + columns.joined())
    guard side >= Comparison.leastRuns else { return }
    if [worse + better, cause, new].contains(where: { $0 * 20 > pairs }) { isRight = false }
    if mustFind, found * 5 < pairs * 4 { isRight = false }
  }

  private mutating func draw() -> RunFigures {
    var run = runs[Int.random(in: runs.indices, using: &generator)]
    for _ in 1..<draws {
      run.whole.add(runs[Int.random(in: runs.indices, using: &generator)].whole)
    }
    return run
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

  fileprivate mutating func add(_ other: Self) {
    activeTime += other.activeTime
    hitchTime += other.hitchTime
    blame.merge(other.blame, uniquingKeysWith: +)
  }
}
