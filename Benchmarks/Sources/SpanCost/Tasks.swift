import CLimit
import Dispatch
import Flamelark
import Glibc

/// What a span around `await` costs above the bare call.
enum Tasks {
  // Isolated as its caller, so that calling it leaves no executor.
  @inline(never) nonisolated(nonsending) static func leaf() async { outside_call() }

  @inline(never) nonisolated(nonsending) static func plainLoop(_ count: Int) async {
    for _ in 0..<count { await leaf() }
  }

  @inline(never) nonisolated(nonsending) static func spanLoop(_ count: Int) async {
    for _ in 0..<count { await withSpan("task work") { await leaf() } }
  }

  /// Spans without `await` in a task: their thread is asked which it is.
  @inline(never) nonisolated(nonsending) static func stackLoop(_ count: Int) async {
    for _ in 0..<count { withSpan("stack work") { outside_call() } }
  }

  /// Runs a variant in a detached task, for what counts instructions from outside.
  static func run(_ variant: String, _ count: Int, file: String?) throws {
    let recording = try file.map { try Recording.start(writingTo: $0) }
    wait {
      measure_begins()
      switch variant {
      case "plain-task-loop": await plainLoop(count)
      case "task-loop": await spanLoop(count)
      case "stack-in-task-loop": await stackLoop(count)
      default: break
      }
      measure_ends()
    }
    try recording?.stop()
  }

  /// Waits for a detached task. A `main` that is asynchronous ends its thread, which valgrind can't
  /// stand.
  static func wait(_ body: sending @escaping () async -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      await body()
      isDone.signal()
    }
    isDone.wait()
  }

  /// Two clock reads around the call, and nothing else.
  @inline(never) nonisolated(nonsending) static func clockLoop(_ count: Int) async {
    for index in 0..<UInt64(count) {
      let begin = limit_clock()
      await leaf()
      limit_store(index, begin, limit_clock())
    }
  }

  struct Cost {
    var plain: Double
    var clocks: Double
    var span: Double
    var stack: Double
    var limit: Double
  }

  /// The bare call, the span and the limit in turns. The quickest twentieth counts.
  nonisolated(nonsending) static func measure() async -> Cost {
    // A turn fits into a buffer.
    let count = 1000
    var times: [[Double]] = [[], [], [], [], []]
    func time(_ index: Int, _ start: UInt64) -> UInt64 {
      let now = thread_nanoseconds()
      times[index].append(Double(now - start) / Double(count))
      return now
    }
    await spanLoop(3000)
    await stackLoop(3000)
    for _ in 0..<601 {
      var now = thread_nanoseconds()
      await plainLoop(count)
      now = time(0, now)
      await spanLoop(count)
      now = time(1, now)
      await stackLoop(count)
      now = time(2, now)
      SpanCost.limitLoop(count)
      now = time(3, now)
      await clockLoop(count)
      now = time(4, now)
    }
    let quick = times.map { $0.sorted()[$0.count / 20] }
    return Cost(
      plain: quick[0], clocks: quick[4], span: quick[1], stack: quick[2], limit: quick[3])
  }

  /// Prints by how many limits a span in a task is above the bare call, by how many the two clock reads
  /// alone are, and a span without `await` to the limit: in a detached task or on the main actor.
  static func printRatios(file: String, onMainActor: Bool) throws {
    let recording = try Recording.start(writingTo: file)
    let print = { (cost: Cost) in
      Swift.print(
        (cost.span - cost.plain) / cost.limit, (cost.clocks - cost.plain) / cost.limit,
        cost.stack / cost.limit)
    }
    if onMainActor {
      Task { @MainActor in
        print(await measure())
        try recording.stop()
        exit(0)
      }
      dispatchMain()
    }
    wait { print(await measure()) }
    try recording.stop()
  }
}
