#if !CompiledOut
internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// The frames of a series as its monitors see them, whether they are recorded or not.
///
/// They are judged as the recorder judges those of a recording, ``RunningFrame``.
struct FrameWatch {
  private var frame: RunningFrame
  private var monitors: [Monitor] = []
  /// The numbers that frames have in the recording: from the frame `first` on, `offset` more.
  private var recorded: (first: Int64, offset: Int64)?

  private struct Monitor {
    let watcher: FrameWatcher
    /// The first frame that counts.
    var from: Int64
    var window = MonitorWindow()
  }

  /// Numbers frames from `count` on.
  init(usual: Int64, count: Int64) { frame = RunningFrame(usual: usual, number: count - 1) }

  var isEmpty: Bool { monitors.isEmpty }
  /// How many frames have a number.
  var count: Int64 { frame.number + 1 }

  /// Adds a monitor, which begins with the next frame.
  mutating func add(_ watcher: FrameWatcher) {
    monitors.append(Monitor(watcher: watcher, from: count))
  }

  mutating func remove(_ watcher: FrameWatcher) { monitors.removeAll { $0.watcher === watcher } }

  mutating func mark(
    at now: Int64, need: RunningFrame.Need, recorded number: Int64, _ calls: inout Calls
  ) {
    take(frame.judge(markedAt: now), &calls)
    _ = frame.mark(at: now, need: need)
    relate(to: number)
  }

  /// Begins a frame; `at` nil: now.
  ///
  /// - Returns: The frame's number here.
  mutating func begin(
    timestamp: Int64, target: Int64?, at now: Int64?, need: RunningFrame.Need,
    recorded number: Int64, _ calls: inout Calls
  ) -> Int64 {
    if frame.isOf(timestamp: timestamp) { return frame.number }
    let before = frame.judge(beforeFrameOf: timestamp, begin: now)
    take(before.verdict, &calls)
    _ = frame.begin(timestamp: timestamp, target: target, need: need, behind: before)
    relate(to: number)
    takeShown(&calls)
    return frame.number
  }

  mutating func end(_ number: Int64, at now: Int64, _ calls: inout Calls) {
    if number == frame.number, number >= 0 { take(frame.end(at: now), &calls) }
  }

  mutating func tell(_ number: Int64, _ outcome: ShownFrames.Outcome, _ calls: inout Calls) {
    let wasUsed = frame.feedback.isUsed
    guard number >= 0, frame.feedback.tell(number, outcome) else { return }
    if !wasUsed { judgeAnew() }
    takeShown(&calls)
  }

  mutating func change(_ change: SeriesChange, at now: Int64, _ calls: inout Calls) {
    take(frame.change(change, at: now), &calls)
  }

  /// From the first word of when frames are shown on it alone counts: what the seconds that run have of
  /// frames that are judged by it now goes out of them.
  private mutating func judgeAnew() {
    for index in monitors.indices {
      monitors[index].from = monitors[index].window.first ?? monitors[index].from
      monitors[index].window = MonitorWindow()
    }
  }

  /// Notes which number the frame that begins has in the recording, -1: none.
  private mutating func relate(to number: Int64) {
    guard number >= 0 else {
      recorded = nil
      return
    }
    let offset = number - frame.number
    if recorded?.offset != offset { recorded = (frame.number, offset) }
  }

  private mutating func take(_ verdict: RunningFrame.Verdict?, _ calls: inout Calls) {
    guard let verdict else { return }
    take(
      frame.number, lateness: verdict.lateness, activeTime: verdict.activeTime, &calls)
  }

  private mutating func takeShown(_ calls: inout Calls) {
    while let (number, verdict) = frame.feedback.nextVerdict() {
      take(number, lateness: verdict.lateness, activeTime: verdict.activeTime, &calls)
    }
  }

  private mutating func take(
    _ number: Int64, lateness: Int64, activeTime: Int64, _ calls: inout Calls
  ) {
    // A display link may say what it likes: what can't be is no frame.
    guard activeTime <= Lateness.plausibleTimes.upperBound else { return }
    for index in monitors.indices where number >= monitors[index].from {
      let second = monitors[index].window.add(
        number, lateness: lateness, activeTime: activeTime, recorded: recorded)
      if let second { calls.append(monitors[index].watcher, second) }
    }
  }
}

extension FrameWatch {
  /// Whom to tell what, once no lock is held.
  struct Calls {
    /// nil in nearly all frames.
    private var list: [Call]?

    private struct Call {
      let watcher: FrameWatcher
      let second: FrameMonitor.Second
    }

    mutating func append(_ watcher: FrameWatcher, _ second: FrameMonitor.Second) {
      list = (list ?? []) + [Call(watcher: watcher, second: second)]
    }

    @inline(__always)
    func make() { if let list { Self.make(list) } }

    @inline(never)
    private static func make(_ list: [Call]) {
      for call in list where !call.watcher.isStopped.load(ordering: .acquiring) {
        call.watcher.report(call.second)
      }
    }
  }
}

/// Who is told of the seconds of one monitor.
@usableFromInline
final class FrameWatcher: Sendable {
  let report: @Sendable (FrameMonitor.Second) -> Void
  let isStopped = Atomic(false)

  init(_ report: @escaping @Sendable (FrameMonitor.Second) -> Void) { self.report = report }
}

extension FrameRecorder {
  /// Tells a monitor of the frames from the next one on.
  func add(_ watcher: FrameWatcher) {
    fl_enter()
    state.withLock { state in
      var watch = state.watch.take() ?? FrameWatch(usual: interval, count: state.watchedCount)
      watch.add(watcher)
      state.watch = watch
      isWatched.store(true, ordering: .relaxed)
    }
    fl_leave()
    fl_add_follower()
  }

  /// Tells it no more.
  func remove(_ watcher: FrameWatcher) {
    fl_remove_follower()
    watcher.isStopped.store(true, ordering: .releasing)
    fl_enter()
    state.withLock { state in
      guard var watch = state.watch.take() else { return }
      watch.remove(watcher)
      state.watchedCount = watch.count
      if !watch.isEmpty { state.watch = watch }
      isWatched.store(!watch.isEmpty, ordering: .relaxed)
    }
    fl_leave()
  }
}
#endif
