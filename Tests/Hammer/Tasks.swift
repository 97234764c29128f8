import Flamelark
import Glibc
import Synchronization

/// Tasks that record while recordings come and go.
enum Tasks {
  private static let running = Atomic(0)

  /// Starts so many.
  static func start(count: Int) {
    running.store(count, ordering: .relaxed)
    for number in 0..<count {
      Task.detached {
        var pass = 0
        while !Worker.isOver.load(ordering: .relaxed) {
          pass += 1
          // Leaves the processor to what reads the last recording.
          if !Recording.isActive { try? await Task.sleep(for: .microseconds(200)) }
          await work(pass, number)
        }
        running.subtract(1, ordering: .releasing)
      }
    }
  }

  /// Waits for the end of all.
  static func join() {
    while running.load(ordering: .acquiring) > 0 { usleep(1000) }
  }

  private static func work(_ pass: Int, _ number: Int) async {
    await withSpan("task", category: "tasks") {
      withSpan("before") {}
      SpanValue("pass").record(Int64(pass))
      await withSpan("inner") { await Task.yield() }
      let link = Flow("to a child").begin()
      let point = WaitPoint()
      let child = Task {
        await withSpan("child") {
          link.end()
          if pass % 3 == 0 { await Task.yield() }
        }
        point.signal()
      }
      if pass % 50 == number { child.cancel() }
      await withWait("child", on: point) { await child.value }
      withSpan("after") { Worker.waits.holdLock() }
    }
  }
}
