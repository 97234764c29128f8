import FlamelarkTrace
import KillLedger

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Kills recording programs at random times and compares what is left with what they counted.
///
///     KillCheck TARGET FLAMELARK FOLDER RUNS SEED
///
/// The exit status is 1 if a span is missing, or if a program could not be checked.
@main struct KillCheck {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let runs = Int(arguments[4]), runs >= Mode.allCases.count,
      let seed = UInt64(arguments[5])
    else {
      print(
        "usage: KillCheck TARGET FLAMELARK FOLDER RUNS SEED, at least \(Mode.allCases.count) runs")
      exit(2)
    }
    var random = Random(seed: seed)
    var tally = Tally()
    var run = 0
    func kill(in mode: Mode) {
      let check = Check(
        target: arguments[1], flamelark: arguments[2],
        trace: "\(arguments[3])/\(run).lark", ledger: "\(arguments[3])/\(run).ledger", mode: mode)
      let delay = random.microseconds(upTo: mode.longestLife)
      do {
        tally.add(try check.run(killAfter: delay), mode: mode)
        check.removeFiles()
      } catch {
        tally.failures += 1
        print("kill-test: run \(run), mode \(mode), killed after \(delay) µs: \(error)")
      }
      run += 1
    }
    for run in 0..<runs { kill(in: Mode.allCases[run % Mode.allCases.count]) }
    // By chance all programs of a mode are killed before their first span, if they are few: then one more is.
    for mode in Mode.allCases {
      var more = 0
      while !tally.hasCounted(in: mode), more < mostMore {
        kill(in: mode)
        more += 1
      }
    }
    tally.print(runs: run, seed: seed)
    exit(tally.failures == 0 ? 0 : 1)
  }

  /// So many more programs of a mode that count nothing are no chance.
  private static let mostMore = 30
}

extension Mode {
  /// A program is killed this many microseconds after it began what it is killed in, or before.
  fileprivate var longestLife: UInt64 {
    switch self {
    case .start: 30_000
    case .stop: 600
    default: 60_000
    }
  }
}

/// Why a run failed.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Random numbers that a seed repeats (SplitMix64).
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func microseconds(upTo limit: UInt64) -> UInt32 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return UInt32((word ^ word >> 31) % limit)
  }
}
