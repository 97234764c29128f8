import Flamelark
import Foundation
import Synchronization

/// Loops whose late frames wait through several threads for one that has more to do than normal. They
/// print their log.
///
/// A frame may take 100 ms. Each thread of a chain has 5 ms of its own to do, and the last one has 600 in
/// each tenth frame: so much that it matters little when a thread has to wait for a processor.
extension RecorderProbe {
  static var chainScenarios: [String: Scenario] {
    [
      "chain-inversion": { path in try runChain(path, priorityInversion) },
      "chain-of-four": { path in try runChain(path, chainOfFour) },
      "chain-of-tasks": { path in
        try runChain(path) { log in { frame in passOfTasks(frame, log: log) } }
      },
    ]
  }

  private static func runChain(
    _ path: String, _ makePass: (ChainLog) -> (ChainFrame) -> Void
  ) throws {
    let recording = try Recording.start(writingTo: path)
    let frames = FrameSeries("loop", refresh: .every(.milliseconds(100)))
    let log = ChainLog()
    Recording.nameThread("loop")
    let pass = makePass(log)
    log.mark()
    frames.mark()
    for number in 0..<60 {
      let isLate = number % 10 == 3
      if isLate { log.late(number) }
      pass(ChainFrame(number: number, last: isLate ? 600 : 5))
      log.mark()
      frames.mark()
    }
    try recording.stop()
    log.show()
  }
}

/// What the threads of a chain are to do in a frame.
private struct ChainFrame: Sendable {
  let number: Int
  /// Milliseconds of work of the last one.
  let last: Int64

  /// Works so many milliseconds in a span of this name, and says it.
  func work(_ name: StaticString, _ milliseconds: Int64, log: ChainLog) {
    withSpan(name) {
      let start = ChainLog.now()
      let end = start + milliseconds * 1_000_000
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      var now = start
      while now < end {
        for byte in 0..<1000 as Range<UInt64> { hash = (hash ^ byte) &* 0x100_0000_01B3 }
        // The sum is needed, so that it is made.
        now = ChainLog.now() | Int64(hash & 0)
      }
      log.work(number, "\(name)", from: start, to: now)
    }
  }

  func waited(_ name: StaticString, since start: Int64, log: ChainLog) {
    log.wait(number, "\(name)", from: start, to: ChainLog.now())
  }
}

/// A thread that does a closure for each frame that it is given.
private final class ChainThread: Sendable {
  private let frames = Mutex<[ChainFrame]>([])
  // Not traced: to be idle is no part of the chain.
  private let given = DispatchSemaphore(value: 0)

  init(_ name: String, _ body: @escaping @Sendable (ChainFrame) -> Void) {
    _ = SystemThread { [self] in
      Recording.nameThread(name)
      while true {
        given.wait()
        body(frames.withLock { $0.removeFirst() })
      }
    }
  }

  func give(_ frame: ChainFrame) {
    frames.withLock { $0.append(frame) }
    given.signal()
  }
}

/// A lock that closures share.
private final class SharedLock: Sendable {
  let mutex: TracedMutex<Void>

  init(_ name: StaticString) { mutex = TracedMutex((), name) }

  func with(_ body: () -> Void) { mutex.withLock { _ in body() } }
}

/// The loop wants a lock that `low` has, and `low` wants one that `middle` has, who works.
private func priorityInversion(log: ChainLog) -> (ChainFrame) -> Void {
  let (shared, second) = (SharedLock("shared"), SharedLock("second"))
  // Not traced: these only see to it that `middle` has its lock before `low`, and `low` before the loop.
  let (hasSecond, hasShared) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let middle = ChainThread("middle") { frame in
    second.with {
      hasSecond.signal()
      frame.work("tidy", frame.last, log: log)
    }
  }
  let low = ChainThread("low") { frame in
    shared.with {
      hasShared.signal()
      let start = ChainLog.now()
      second.with { frame.waited("second", since: start, log: log) }
      frame.work("write", 5, log: log)
    }
  }
  return { frame in
    middle.give(frame)
    hasSecond.wait()
    low.give(frame)
    hasShared.wait()
    let start = ChainLog.now()
    shared.with {
      frame.waited("shared", since: start, log: log)
      frame.work("use", 5, log: log)
    }
  }
}

/// The loop wants a lock that `saver` has, who waits for a semaphore of `packer`, who waits for work on a
/// queue of `writer`, who waits for a condition that `reader` signals when it has worked.
private func chainOfFour(log: ChainLog) -> (ChainFrame) -> Void {
  let page = SharedLock("page")
  // Not traced: sees to it that `saver` has the lock before the loop wants it.
  let hasPage = DispatchSemaphore(value: 0)
  let packed = TracedSemaphore(0, "packed")
  let blocks = Blocks()
  let jobs = ChainQueue("writer")
  let queue = TracedQueue("disk") { work in jobs.give(work) }

  let reader = ChainThread("reader") { frame in
    frame.work("read", frame.last, log: log)
    blocks.add()
  }
  let packer = ChainThread("packer") { frame in
    let start = ChainLog.now()
    queue.sync("job") {
      let start = ChainLog.now()
      blocks.take()
      frame.waited("blocks", since: start, log: log)
      frame.work("write", 5, log: log)
    }
    frame.waited("disk", since: start, log: log)
    frame.work("pack", 5, log: log)
    packed.signal()
  }
  let saver = ChainThread("saver") { frame in
    page.with {
      hasPage.signal()
      let start = ChainLog.now()
      packed.wait()
      frame.waited("packed", since: start, log: log)
      frame.work("save", 5, log: log)
    }
  }
  return { frame in
    for thread in [reader, packer, saver] { thread.give(frame) }
    hasPage.wait()
    let start = ChainLog.now()
    page.with {
      frame.waited("page", since: start, log: log)
      frame.work("draw", 5, log: log)
    }
  }
}

/// What is read and not yet written.
private final class Blocks: Sendable {
  private let count = TracedMutex(0, "block count")
  private let hasSome = TracedCondition("blocks")

  func add() {
    count.withLock { $0 += 1 }
    hasSome.signal()
  }

  func take() {
    count.withLock(waitingFor: hasSome, until: { $0 > 0 }) { $0 -= 1 }
  }
}

/// A thread that does one piece of work after the other.
private final class ChainQueue: Sendable {
  private let jobs = Mutex<[TracedQueue.Work]>([])
  private let given = DispatchSemaphore(value: 0)

  init(_ name: String) {
    _ = SystemThread { [self] in
      Recording.nameThread(name)
      while true {
        given.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job()
      }
    }
  }

  func give(_ job: @escaping TracedQueue.Work) {
    jobs.withLock { $0.append(job) }
    given.signal()
  }
}

/// The loop waits for a semaphore that a task signals, which awaits another one, which works.
private func passOfTasks(_ frame: ChainFrame, log: ChainLog) {
  let done = TracedSemaphore(0, "done")
  Task.detached {
    await withSpan("fetch") {
      let parsed = WaitPoint()
      let parse = Task.detached {
        await withSpan("parse") {
          await Task.yield()
          frame.work("scan", frame.last, log: log)
          parsed.signal()
        }
      }
      let start = ChainLog.now()
      await withWait("parsed", on: parsed) { await parse.value }
      frame.waited("parsed", since: start, log: log)
      frame.work("store", 5, log: log)
      done.signal()
    }
  }
  let start = ChainLog.now()
  done.wait()
  frame.waited("done", since: start, log: log)
  frame.work("show", 5, log: log)
}
