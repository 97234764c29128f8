import Foundation
import Synchronization

/// Runs a task on the thread that calls it, which waits for its end. The task has to wait for nothing
/// that needs another thread of the concurrency run-time.
final class CallingThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isDone = false
  }

  private let state = Mutex(State())

  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let executor = CallingThread()
    let outcome = Handed<Swift.Result<Result, any Error>>()
    Task(executorPreference: executor) {
      do {
        outcome.value = .success(try await body())
      } catch {
        outcome.value = .failure(error)
      }
      executor.state.withLock { $0.isDone = true }
    }
    executor.work()
    guard let outcome = outcome.value else { throw CancellationError() }
    return try outcome.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  private func work() {
    while true {
      let (jobs, isDone) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isDone)
      }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      if jobs.isEmpty {
        if isDone { return }
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
  }
}
