import Flamelark
import Foundation

/// What crosses threads and tasks.
extension RecorderProbe {
  static var linkScenarios: [String: Scenario] {
    [
      "task-waits": waitsOfTasks,
      "task-elsewhere": waitThatEndsElsewhere,
      "links-killed": killedWithLinks,
    ]
  }

  /// Tasks that are waited for while they run, and after they have ended.
  static func waitsOfTasks(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    try wait {
      for _ in 0..<20 {
        let point = WaitPoint()
        let isAwaited = Shared()
        let link = Flow("work").begin()
        let task = Task.detached {
          await withSpan("child that blocks") {
            link.end()
            // Until whoever asked for it is about to wait.
            while isAwaited.value == 0 { await Task.yield() }
            try? await Task.sleep(for: .milliseconds(5))
            point.signal()
          }
        }
        await withWait("blocks", on: point) {
          isAwaited.add()
          await task.value
        }
      }
      for _ in 0..<20 {
        let point = WaitPoint()
        let link = Flow("work").begin()
        let task = Task.detached {
          await withSpan("child that is over") {
            link.end()
            await Task.yield()
            point.signal()
          }
        }
        await task.value
        await withWait("is over", on: point) { await task.value }
      }
    }
    try recording.stop()
  }

  /// A wait that goes on on a thread which has recorded nothing before.
  static func waitThatEndsElsewhere(_ path: String) throws {
    let executor = Alternating()
    let recording = try Recording.start(writingTo: path)
    let point = WaitPoint()
    let isDone = DispatchSemaphore(value: 0)
    Task(executorPreference: executor) {
      await withWait("elsewhere", on: point) {
        point.signal()
        await Task.yield()
      }
      isDone.signal()
    }
    isDone.wait()
    try recording.stop()
  }

  /// Lets each part of a task run on a thread of its own.
  private final class Alternating: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      _ = SystemThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  static func killedWithLinks(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    let point = WaitPoint()
    let queue = TracedQueue("queue") { work in
      let thread = SystemThread { work() }
      thread.join()
    }
    for _ in 0..<10 { queue.sync("work") {} }
    for _ in 0..<2 {
      withWait("other", on: point) { SystemThread { point.signal() }.join() }
    }
    print("ready")
    fflush(nil)
    while true { pause() }
  }
}
