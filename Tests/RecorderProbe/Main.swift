import Flamelark
import Foundation

/// A program that ends, and meets trouble, in the ways in which tests need it.
///
///     RecorderProbe SCENARIO FILE
@main struct RecorderProbe {
  typealias Scenario = (String) throws -> Void

  static func main() throws {
    let arguments = CommandLine.arguments
    let topics = [
      endings, loops, disk, processes, threadScenarios, crashes, signalScenarios,
      handlerScenarios, taskScenarios, linkScenarios, valueScenarios,
      chainScenarios,
    ]
    guard arguments.count == 3,
      let scenario = topics.lazy.compactMap({ $0[arguments[1]] }).first
    else { exit(64) }
    // The thread that started this may have blocked signals, which are inherited.
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // A test that waits for what never comes ends, and fails.
    alarm(300)
    try scenario(arguments[2])
  }

  /// A number that the test gives in the environment.
  static func number(_ name: String) -> Int {
    guard let value = ProcessInfo.processInfo.environment[name].flatMap(Int.init) else { exit(64) }
    return value
  }
}
