import CLimit
import Flamelark
import Synchronization

/// Frames of series that have monitors.
enum Monitored {
  /// What monitors told, so that something takes it.
  private static let frames = Atomic(0)

  private static func monitor(_ series: FrameSeries) -> FrameMonitor {
    FrameMonitor(of: series) { frames.add($0.frames, ordering: .relaxed) }
  }

  static func marks(_ count: Int, monitors: Int) {
    let series = FrameSeries("watched marks", refresh: .hertz(1))
    let kept = (0..<monitors).map { _ in Kept(monitor(series)) }
    run(count, marksOf: series)
    withExtendedLifetime(kept) {}
  }

  private final class Kept {
    let monitor: FrameMonitor
    init(_ monitor: consuming FrameMonitor) { self.monitor = monitor }
  }

  @inline(never) private static func run(_ count: Int, marksOf series: FrameSeries) {
    for _ in 0..<count {
      outside_call()
      series.mark()
    }
  }

  static func frames(_ count: Int, areShown: Bool) {
    let series = FrameSeries("watched frames", refresh: .hertz(60))
    let monitor = monitor(series)
    var time = SuspendingClock().now
    for _ in 0..<count {
      let frame = series.begin(timestamp: time, target: time + .milliseconds(16))
      outside_call()
      let id = frame.id
      frame.end()
      time += .milliseconds(16)
      if areShown { series.presented(id, at: time) }
    }
    monitor.stop()
  }

  // MARK: - Against four clock reads

  /// Four reads of CLOCK_MONOTONIC a turn: some 100 ns, which a frame with a monitor may take.
  @inline(never) private static func clockLoop(_ count: Int) -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count {
      outside_call()
      sum &+= limit_nanoseconds()
      sum &+= limit_nanoseconds()
      sum &+= limit_nanoseconds()
      sum &+= limit_nanoseconds()
    }
    return sum
  }

  @inline(never) private static func run(
    _ count: Int, framesOf series: FrameSeries, from time: inout SuspendingClock.Instant
  ) {
    for _ in 0..<count {
      let frame = series.begin(timestamp: time, target: time + .milliseconds(16))
      outside_call()
      frame.end()
      time += .milliseconds(16)
    }
  }

  /// The three in turns, so that all meet the same machine; of each the quickest twentieth of the turns.
  static func printRatios() {
    let (marked, linked) = (
      FrameSeries("marked", refresh: .hertz(1)), FrameSeries("linked", refresh: .hertz(60))
    )
    let first = monitor(marked)
    let second = monitor(linked)
    var time = SuspendingClock().now
    var turns: [(clocks: Double, mark: Double, frame: Double)] = []
    let count = 1000
    var sum: UInt64 = 0
    for _ in 0..<601 {
      let start = thread_nanoseconds()
      sum &+= clockLoop(count)
      let clocks = thread_nanoseconds()
      run(count, marksOf: marked)
      let marks = thread_nanoseconds()
      run(count, framesOf: linked, from: &time)
      let end = thread_nanoseconds()
      turns.append(
        (
          Double(clocks - start) / Double(count), Double(marks - clocks) / Double(count),
          Double(end - marks) / Double(count)
        ))
    }
    first.stop()
    second.stop()
    let quick = turns.count / 20
    let clocks = turns.map(\.clocks).sorted()[quick]
    let mark = turns.map(\.mark).sorted()[quick]
    let frame = turns.map(\.frame).sorted()[quick]
    print("\(mark / clocks) \(frame / clocks) ns \(clocks) \(mark) \(frame) \(sum == 0 ? "?" : "")")
  }
}
