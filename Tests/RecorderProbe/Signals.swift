import Flamelark
import Foundation
import Synchronization

/// A program that others tell by signals when to record.
extension RecorderProbe {
  static var signalScenarios: [String: Scenario] {
    ["signals": recordedBySignal, "signals-late": askedTooLate]
  }

  /// Runs until its input ends, and says so when a recording starts and stops.
  static func recordedBySignal(_ path: String) throws {
    let recording = try Recording.startIfRequested()
    say(recording == nil ? "waiting" : "recording")
    let isDone = Atomic(false)
    // Threads that are there before the signals come, and have blocked nothing by themselves.
    let threads = (0..<3).map { number in
      SystemThread {
        Recording.nameThread("worker \(number)")
        while !isDone.load(ordering: .relaxed) {
          withSpan("work") { usleep(100) }
        }
      }
    }
    let watcher = SystemThread {
      var wasActive = false
      while !isDone.load(ordering: .relaxed) {
        let isActive = Recording.isActive
        if isActive != wasActive {
          say(isActive ? "started" : "stopped")
          wasActive = isActive
        }
        usleep(200)
      }
    }
    while Swift.readLine() != nil {}
    isDone.store(true, ordering: .relaxed)
    for thread in threads + [watcher] { thread.join() }
  }

  /// Prints a line at once. Flushing would wait for the thread that reads.
  private static func say(_ word: String) {
    FileHandle.standardOutput.write(Data((word + "\n").utf8))
  }

  /// Other threads are there already: the signals could reach them.
  static func askedTooLate(_ path: String) throws {
    _ = SystemThread { while true { pause() } }
    do {
      _ = try Recording.startIfRequested()
      exit(66)
    } catch {
      print("error \(error)")
    }
  }
}
