import Flamelark
import Synchronization

/// A program for `Scripts/sanitize`, which runs it with what a compiler puts in to find races and
/// wrong memory accesses.
///
///     Hammer all SECONDS SEED FOLDER     everything the recorder does, at once
///     Hammer race|overflow FOLDER        one mistake, which has to be found
@main struct Hammer {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[1] == "all", let seconds = Double(arguments[2]),
      let seed = UInt64(arguments[3])
    {
      try hammer(seconds: seconds, seed: seed, folder: arguments[4])
    } else if arguments.count == 3, let proof = Proof(rawValue: arguments[1]) {
      try proof.makeMistake(folder: arguments[2])
    } else {
      fatalError("usage: Hammer all SECONDS SEED FOLDER | Hammer race|overflow FOLDER")
    }
  }

  private static func hammer(seconds: Double, seed: UInt64, folder: String) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    let workers = (0..<4).map { Worker(seed: seed &* 1000 &+ $0) }
    let threads = workers.map { worker in Thread { worker.run() } }
    Tasks.start(count: 3)
    var rounds = Rounds(seed: seed, folder: folder)
    while ContinuousClock.now < end || rounds.count < Rounds.kinds.count { try rounds.runOne() }
    Worker.isOver.store(true, ordering: .relaxed)
    threads.forEach { $0.join() }
    Tasks.join()
    let told = Monitors.told.load(ordering: .relaxed)
    guard told > 0 else { fatalError("no monitor told a second") }
    print("\(rounds.summary); \(told) seconds of monitors")
  }
}
