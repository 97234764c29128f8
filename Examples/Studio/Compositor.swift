import Flamelark
import Foundation
import Synchronization

/// A compositor as a display server has one, on a thread of its own: it shows at each refresh the newest
/// frame that was handed in, and says what became of each.
final class Compositor: Sendable {
  private struct State {
    var frames: [FrameSeries.FrameID] = []
    var isClosed = false
  }

  private let frames: FrameSeries
  private let period: Int64
  private let state = Mutex(State())
  /// What the display does, in its own words.
  private let display = Track("display")
  private let handedIn = TracedSemaphore(0, "handed in")
  private let log: Log

  init(_ frames: FrameSeries, period: Int64, log: Log) {
    self.frames = frames
    self.period = period
    self.log = log
  }

  func handIn(_ frame: FrameSeries.FrameID) {
    state.withLock { $0.frames.append(frame) }
    log.say("signalled", threadID())
    handedIn.signal()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    log.say("signalled", threadID())
    handedIn.signal()
  }

  /// Shows frames until it is closed.
  func run() {
    Recording.nameThread("compositor")
    while true {
      handedIn.wait()
      let (waiting, isClosed) = state.withLock { state in
        defer { state.frames = [] }
        return (state.frames, state.isClosed)
      }
      guard let newest = waiting.last else {
        if isClosed { return }
        continue
      }
      for frame in waiting.dropLast() {
        frames.discarded(frame)
        log.say("discarded", frame.number)
      }
      newest.stage("compose") { Studio.work(200) }
      log.say("stage", newest.number, "compose", threadID())
      // The next refresh.
      let refresh = (now() / period + 1) * period
      usleep(UInt32((refresh - now()) / 1000))
      frames.presented(newest, at: Studio.instant(refresh))
      display.record(
        "scan out", from: Studio.instant(refresh), to: Studio.instant(refresh + period / 2))
      log.say("shown", newest.number, refresh)
    }
  }
}
