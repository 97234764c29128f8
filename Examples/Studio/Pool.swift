import Flamelark
import Synchronization

/// Some tasks that do jobs, each when it is free.
struct Pool: Sendable {
  /// Something to be done, with the link that leads to where that is.
  struct Job: Sendable {
    let number: Int
    let link: Flow.Link
    /// Signalled by whoever has done it.
    let done: WaitPoint
    let finish: @Sendable () -> Void
  }

  let name: String
  private let workerName: SpanName
  private let jobs: AsyncStream<Job>
  private let queue: AsyncStream<Job>.Continuation
  private let shelves: Shelves
  private let log: Log

  /// What the jobs of all pools use.
  struct Shelves: Sendable {
    let cache: Shelf
    let store: Shelf
  }

  init(_ name: String, shelves: Shelves, log: Log) {
    self.name = name
    self.log = log
    self.shelves = shelves
    workerName = SpanName("\(name) worker", category: "pool")
    (jobs, queue) = AsyncStream.makeStream()
  }

  /// Asks for a job.
  func take(_ job: Job) {
    log.say("asked", job.number, threadID())
    queue.yield(job)
  }

  /// Lets the workers end when there is nothing more to do.
  func close() { queue.finish() }

  /// Works until it is closed, with so many tasks whose numbers count from `first`.
  func run(workers: Int, from first: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for worker in first..<first + workers {
        group.addTask { await work(as: worker) }
      }
    }
  }

  private func work(as worker: Int) async {
    let (jobCount, partCount, awaitCount) = await withSpan(workerName) {
      SpanValue("worker").record(Int64(worker))
      var counts = (jobs: 0, parts: 0, awaits: 0)
      for await job in jobs {
        await withSpan("job") {
          SpanValue("job").record(Int64(job.number))
          job.link.end()
          log.say("run", job.number, threadID())
          withSpan("part") { Studio.work(80) }
          shelves.cache.put(taking: 60)
          counts.parts += 1
          if job.number % 3 == 0 {
            await fetch(job.number)
            counts.awaits += 1
          }
          shelves.store.put(taking: 40)
          log.say("done", job.number, threadID())
          job.done.signal()
          job.finish()
        }
        counts.jobs += 1
      }
      return (counts.jobs, counts.parts, counts.awaits)
    }
    log.say("task", worker, jobCount, partCount, awaitCount)
  }

  /// Waits for another task, which may be done before anybody waits.
  private func fetch(_ number: Int) async {
    let point = WaitPoint()
    let (log, isQuick) = (log, number % 2 == 0)
    let other = Task.detached {
      if !isQuick { try? await Task.sleep(for: .microseconds(300)) }
      log.say("fetched", number, threadID())
      point.signal()
    }
    // What is done already is waited for too, and doesn't block.
    if isQuick { await other.value }
    await withWait("fetch", on: point) {
      SpanValue("fetch").record(Int64(number))
      await other.value
    }
  }
}
