import Dispatch
import Flamelark
import Foundation

/// A program that draws: three pools of tasks, two locks, a queue and a compositor, and a log of its own
/// that says who waited for whom.
///
///     Studio [FRAMES] [LOG]        writes studio.lark
@main struct Studio {
  static let period: Int64 = 8_000_000

  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 120
    let recording = try Recording.start(writingTo: "studio.lark")
    let log = Log()
    try run(frames: count, log: log)
    try recording.stop()
    if CommandLine.arguments.count > 2 { try log.write(to: CommandLine.arguments[2]) }
    print("studio: \(count) frames")
  }

  private static func run(frames count: Int, log: Log) throws {
    let frames = FrameSeries("studio", refresh: .every(.nanoseconds(period)))
    let compositor = Compositor(frames, period: period, log: log)
    let shelves = Pool.Shelves(
      cache: Shelf("cache", log: log), store: Shelf("store", log: log))
    let pools = ["decode", "layout", "network"].map { Pool($0, shelves: shelves, log: log) }
    let serial = DispatchQueue(label: "disk")
    let disk = TracedQueue("disk") { work in serial.async(execute: work) }

    let showing = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      compositor.run()
      showing.signal()
    }
    let working = DispatchSemaphore(value: 0)
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for (number, pool) in pools.enumerated() {
          group.addTask { await pool.run(workers: 3, from: number * 3) }
        }
      }
      working.signal()
    }

    for number in 0..<count {
      draw(number, frames, pools: pools, shelves: shelves, disk: disk, log: log, to: compositor)
    }
    frames.pause()
    for pool in pools { pool.close() }
    working.wait()
    compositor.close()
    showing.wait()
  }

  private static func draw(
    _ number: Int, _ frames: FrameSeries, pools: [Pool], shelves: Pool.Shelves, disk: TracedQueue,
    log: Log, to compositor: Compositor
  ) {
    let timestamp = now() / period * period
    let frame = frames.begin(
      timestamp: instant(timestamp), target: instant(timestamp + period))
    let allDone = TracedSemaphore(0, "all done")
    frame.stage("ask") {
      for (place, pool) in pools.enumerated() {
        let job = number * pools.count + place
        pool.take(
          Pool.Job(
            number: job, link: Flow("job").begin(), done: WaitPoint(),
            finish: {
              log.say("finished", number, threadID())
              allDone.signal()
            }))
      }
    }
    log.say("stage", frame.number, "ask", threadID())
    shelves.cache.put(taking: 100)
    if number % 4 == 0 {
      disk.async { work(100) }
      disk.sync { log.say("on disk", number, threadID()) }
    }
    let id = frame.id
    frame.stage("collect") {
      for _ in pools { allDone.wait() }
    }
    log.say("stage", id.number, "collect", threadID())
    frame.end()
    compositor.handIn(id)
    let next = timestamp + period
    if now() < next { usleep(UInt32((next - now()) / 1000) + 1) }
  }

  /// A time of CLOCK_MONOTONIC.
  static func instant(_ nanoseconds: Int64) -> SuspendingClock.Instant {
    SuspendingClock().systemEpoch.advanced(by: .nanoseconds(nanoseconds))
  }

  static func work(_ microseconds: Int64) {
    let end = now() + microseconds * 1000
    while now() < end {}
  }
}
