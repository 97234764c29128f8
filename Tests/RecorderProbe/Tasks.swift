import Flamelark
import Foundation
import Synchronization

/// Tasks, which go on on whatever thread is free.
extension RecorderProbe {
  static var taskScenarios: [String: Scenario] {
    [
      "tasks": manyKindsOfTasks,
      "task-hops": hops,
      "task-counts": spansOfTasks,
      "task-open": spansThatDoNotEnd,
      "task-killed": killedInTasks,
      "task-open-twice": spansThatEndBetweenRecordings,
      "task-restart": anotherRecording,
      "task-isolation": isolation,
      "task-least": leastDuration,
    ]
  }

  /// A number that tasks share.
  final class Shared: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .acquiring) }
    func add(_ amount: Int = 1) { number.add(amount, ordering: .acquiringAndReleasing) }
  }

  /// Runs a task on the threads of the run-time, while this one waits.
  static func wait(for body: sending @escaping () async throws -> Void) throws {
    let isDone = DispatchSemaphore(value: 0)
    let failures = Shared()
    Task.detached {
      do { try await body() } catch { failures.add() }
      isDone.signal()
    }
    isDone.wait()
    if failures.value > 0 { exit(65) }
  }

  actor Account {
    var balance = 0

    func add(_ amount: Int) async {
      await withSpan("add") {
        withSpan("sum") { balance += amount }
        await Task.yield()
      }
    }
  }

  static func manyKindsOfTasks(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    try wait {
      await withSpan("group") {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<30 {
            group.addTask {
              await withSpan("child") {
                withSpan("before") {}
                await withSpan("inner") { await Task.yield() }
                withSpan("after") {}
              }
            }
          }
        }
      }
      let account = Account()
      await withSpan("actor") {
        async let one: Void = account.add(1)
        async let two: Void = account.add(2)
        _ = await (one, two)
      }
      let cancelled = Task {
        try await withSpan("cancelled") {
          while true {
            try Task.checkCancellation()
            await Task.yield()
          }
        }
      }
      cancelled.cancel()
      _ = await cancelled.result
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task.detached {
        for number in 0..<10 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      for await _ in stream { await withSpan("element") { await Task.yield() } }
      // In an asynchronous function too, a closure without `await` is measured on its thread.
      withSpan("plain") {}
    }
    try recording.stop()
  }

  /// Says how often the program itself saw a span end on another thread than it began on.
  static func hops(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let spans = Shared()
    let hops = Shared()
    try wait {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            while hops.value < 20_000 {
              await withSpan("hop") {
                let before = pthread_self()
                withSpan("here") {}
                // Mostly the same thread goes on.
                for _ in 0..<200 where pthread_equal(before, pthread_self()) != 0 {
                  await Task.yield()
                }
                withSpan("there") {}
                spans.add()
                if pthread_equal(before, pthread_self()) == 0 { hops.add() }
              }
            }
          }
        }
      }
    }
    try recording.stop()
    print(spans.value, hops.value)
  }

  /// Task n has n spans on the stack of threads, of the name of its kind.
  static func spansOfTasks(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    try wait {
      await withTaskGroup(of: Void.self) { group in
        for number in 1...60 {
          group.addTask {
            // The first span may be one without `await`.
            for _ in 0..<number / 2 { withSpan("work") { withSpan("part") {} } }
            await withSpan("job") {
              await Task.yield()
              for _ in number / 2..<number {
                withSpan("work") { withSpan("part") {} }
                await Task.yield()
              }
            }
          }
          // Others that have no spans around `await`.
          group.addTask {
            for _ in 0..<5 {
              withSpan("other") {}
              await Task.yield()
            }
          }
        }
      }
    }
    withSpan("no task") {}
    try recording.stop()
  }

  static func spansThatDoNotEnd(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    beginWithoutEnd(count: number("COUNT"))
    try recording.stop()
  }

  static func killedInTasks(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    beginWithoutEnd(count: number("COUNT"))
    for _ in 0..<20 { withSpan("later") { usleep(500) } }
    withExtendedLifetime(recording) {
      print("ready")
      fflush(nil)
      while true { pause() }
    }
  }

  /// Two recordings, each stopped while so many spans are open that not all are remembered.
  static func spansThatEndBetweenRecordings(_ path: String) throws {
    for round in ["", ".second"] {
      let recording = try Recording.start(writingTo: path + round)
      let (begun, ended) = (Shared(), Shared())
      let mayEnd = Shared()
      Task.detached {
        for _ in 0..<number("COUNT") {
          Task.detached {
            await withSpan("waits for ever") {
              begun.add()
              while mayEnd.value == 0 { try? await Task.sleep(for: .milliseconds(1)) }
            }
            ended.add()
          }
        }
      }
      while begun.value < number("COUNT") { usleep(100) }
      usleep(20_000)
      try recording.stop()
      mayEnd.add()
      while ended.value < number("COUNT") { usleep(100) }
    }
  }

  /// Begins so many spans around `await`, one after the other, and one that ends.
  private static func beginWithoutEnd(count: Int) {
    let begun = Shared()
    Task.detached {
      await withSpan("ended") { await Task.yield() }
      for _ in 0..<count {
        Task.detached {
          await withSpan("waits for ever") {
            begun.add()
            try? await Task.sleep(for: .seconds(1000))
          }
        }
      }
    }
    while begun.value < count { usleep(100) }
    usleep(20_000)
  }

  /// A span that begins in one recording and ends in the next belongs to the first.
  static func anotherRecording(_ path: String) throws {
    let first = try Recording.start(writingTo: path)
    let begun = Shared()
    let mayEnd = Shared()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      await withSpan("across") {
        begun.add()
        while mayEnd.value == 0 { await Task.yield() }
        withSpan("in the second") {}
      }
      await withSpan("second") { await Task.yield() }
      isDone.signal()
    }
    while begun.value == 0 { usleep(100) }
    try first.stop()
    let second = try Recording.start(writingTo: path + ".second")
    mayEnd.add()
    isDone.wait()
    try second.stop()
  }

  /// A span leaves its closure where the caller runs.
  static func isolation(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    actor Room {
      var visits = 0

      func visit() async throws {
        // Not `Sendable`, and not sent anywhere.
        final class Guest { var name = "" }
        let guest = try await withSpan("visit") { () async throws -> Guest in
          assertIsolated()
          visits += 1
          await Task.yield()
          assertIsolated()
          return Guest()
        }
        guest.name = "somebody"
      }
    }
    let room = Room()
    Task { @MainActor in
      await withSpan("on the main actor") {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
      }
      exit(await (try? room.visit()) == nil ? 65 : stopped(recording))
    }
    RunLoop.main.run()
  }

  private static func stopped(_ recording: Recording) -> CInt {
    (try? recording.stop()) == nil ? 65 : 0
  }

  /// Spans around `await` are not left out.
  static func leastDuration(_ path: String) throws {
    let recording = try Recording.start(
      writingTo: path, options: .init(maximumDepth: 1, minimumDuration: .seconds(1)))
    try wait {
      for _ in 0..<10 {
        await withSpan("short") {
          withSpan("left out") { withSpan("too deep") {} }
          await Task.yield()
        }
      }
    }
    try recording.stop()
  }
}
