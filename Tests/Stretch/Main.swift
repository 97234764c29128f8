import Foundation

/// What `Scripts/stretch-check` and `Scripts/no-cause-check` run.
///
///     Stretch real CORPUS FLAMELARK COUNT SEED     a span made longer in real traces
///     Stretch no-cause FLAMELARK COUNT SEED        late frames of noise alone
///
/// Status 1: right in less than 95 of 100.
@main struct Stretch {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let mode = arguments.first, arguments.count == (mode == "real" ? 5 : 4),
      let count = Int(arguments[arguments.count - 2]), count > 0,
      let seed = UInt64(arguments[arguments.count - 1])
    else {
      print(
        "usage: Stretch real CORPUS FLAMELARK COUNT SEED | Stretch no-cause FLAMELARK COUNT SEED")
      exit(2)
    }
    let command = BlameCommand(program: arguments[arguments.count - 3])
    let right: Int
    switch mode {
    case "real":
      var check = try StretchCheck(corpus: arguments[1], command: command, seed: seed)
      right = try check.run(count: count)
    case "no-cause":
      right = try NoCauseCheck(command: command, seed: seed).run(count: count)
    default: exit(2)
    }
    print("\(mode): \(right) of \(count) right, seed \(seed)")
    exit(right * 100 < count * 95 ? 1 : 0)
  }
}
