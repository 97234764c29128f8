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

  /// All in turns, so that they meet the same machine; of each the quickest twentieth of the turns. The
  /// loop of frames has times to reckon with where nobody follows them, too: that is taken off.
  static func printRatios() {
    let marked = FrameSeries("marked", refresh: .hertz(1))
    let linked = FrameSeries("linked", refresh: .hertz(60))
    let alone = FrameSeries("alone", refresh: .hertz(60))
    let count = 1000
    var time = SuspendingClock().now
    var turns: [[Double]] = [[], [], [], []]
    var sum: UInt64 = 0
    for _ in 0..<601 {
      var times = [thread_nanoseconds()]
      sum &+= clockLoop(count)
      times.append(thread_nanoseconds())
      run(count, framesOf: alone, from: &time)
      times.append(thread_nanoseconds())
      let first = monitor(marked)
      let second = monitor(linked)
      // What is met first costs more.
      run(2, marksOf: marked)
      run(2, framesOf: linked, from: &time)
      times.append(thread_nanoseconds())
      run(count, marksOf: marked)
      times.append(thread_nanoseconds())
      run(count, framesOf: linked, from: &time)
      times.append(thread_nanoseconds())
      first.stop()
      second.stop()
      for (place, turn) in [0, 1, 3, 4].enumerated() {
        turns[place].append(Double(times[turn + 1] - times[turn]) / Double(count))
      }
    }
    let quick = turns.map { $0.sorted()[$0.count / 20] }
    let (clocks, mark, frame) = (quick[0], quick[2], quick[3] - quick[1])
    print("\(mark / clocks) \(frame / clocks) ns \(clocks) \(mark) \(frame) \(sum == 0 ? "?" : "")")
  }
}
