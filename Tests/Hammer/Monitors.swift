import Flamelark
import Glibc
import Synchronization
import _FlamelarkTestSupport

/// Monitors that a thread begins and ends, of its own series and of one that all threads mark.
///
/// Frames go ahead of the clock, so that seconds are full in microseconds.
final class Monitors {
  /// How many seconds all monitors told.
  static let told = Atomic(0)

  private let series: [FrameSeries]
  private let slots = [Slot(), Slot(), Slot()]
  private var target = SuspendingClock().now

  init(of series: [FrameSeries]) { self.series = series }

  /// A place for a monitor, which its own call may empty.
  private final class Slot: Sendable {
    private let monitor = Guarded<Box?>(nil)

    /// Puts a monitor into it, in place of the one that was.
    func put(_ new: consuming FrameMonitor) { exchange(Box(new)) }

    func empty() { exchange(nil) }

    private func exchange(_ new: Box?) {
      // What is taken out ends its monitor outside of the lock.
      _ = monitor.with { held in
        defer { held = new }
        return held
      }
    }
  }

  private final class Box: Sendable {
    let monitor: FrameMonitor
    init(_ monitor: consuming FrameMonitor) { self.monitor = monitor }
  }

  /// Ends all of them. A call holds the slot of its monitor, so none would go by itself.
  func end() { slots.forEach { $0.empty() } }

  /// Begins or ends one, and lets a second pass.
  func change(_ random: inout SeededGenerator) {
    guard let slot = slots.randomElement(using: &random),
      let frames = series.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: slot.put(FrameMonitor(of: frames) { Self.take($0) })
    case 1:
      // Ends itself in its call, and lets frames run there.
      let isLast = Bool.random(using: &random)
      slot.put(
        FrameMonitor(of: frames) { second in
          Self.take(second)
          frames.mark()
          if isLast { slot.empty() }
        })
    case 2: slot.empty()
    case 3: passASecond(of: frames)
    default: break
    }
  }

  private func passASecond(of frames: FrameSeries) {
    for _ in 0..<3 {
      target += .milliseconds(500)
      frames.begin(timestamp: target, target: target + .milliseconds(8)).end()
    }
    if Bool.random() { frames.pause() }
  }

  private static func take(_ second: FrameMonitor.Second) {
    guard second.frames > 0, second.fps > 0, (0...1000).contains(second.hitchRatio),
      second.activeTime >= .seconds(1), second.hitchTime <= second.activeTime,
      second.worstFrame.lateness <= second.hitchTime
    else { fatalError("a second that can't be: \(second)") }
    told.add(1, ordering: .relaxed)
  }
}
