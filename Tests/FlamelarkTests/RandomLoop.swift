import FlamelarkFormat
import Synchronization
import _FlamelarkTestSupport

@testable import Flamelark

/// A loop with all that one does wrong, in a time of its own that follows from a seed: nothing waits.
struct RandomLoop {
  enum Kind: CaseIterable {
    /// Marks alone.
    case marks
    /// Frames of a display link that changes its rate.
    case displayLink
    /// The same, shown by a compositor that says so some frames later.
    case shown
    /// The same, where it says nothing of some.
    case shownInPart
  }

  let kind: Kind
  let frames: FrameSeries
  private var random: SeededGenerator
  private(set) var time: Int64
  /// Of the display link.
  private var timestamp: Int64
  private var open: FrameSeries.FrameID?
  private var last = FrameSeries.FrameID.none
  /// What is not told yet, by when it will be.
  private var mail: [(due: Int64, id: FrameSeries.FrameID, time: Int64?)] = []
  private var shown: Int64

  private var recorder: FrameRecorder { frames.recorder }

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SeededGenerator(seed: seed)
    frames = FrameSeries("loop", refresh: .hertz(120))
    time = FrameRecorder.Moment.now.time
    timestamp = time
    shown = time
  }

  private mutating func isOne(in chances: Int) -> Bool {
    Int.random(in: 0..<chances, using: &random) == 0
  }

  private mutating func pass(_ nanoseconds: ClosedRange<Int64>) {
    time += Int64.random(in: nanoseconds, using: &random)
  }

  /// Runs so many passes.
  mutating func run(passes: Int) {
    for _ in 0..<passes {
      say()
      switch kind {
      case .marks: mark()
      case .displayLink, .shown, .shownInPart: display()
      }
    }
  }

  /// Tells of what is not told yet.
  mutating func tellAll() { tell(until: .max) }

  private mutating func say() {
    guard isOne(in: 12) else { return }
    // No two things happen at one time, whose order a trace could not tell.
    pass(1...1000)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: recorder.note(.paused, at: time)
    case 1: recorder.note(.resumed, at: time)
    case 2:
      recorder.need.store(RunningFrame.Need.noFrames.rawValue, ordering: .relaxed)
      recorder.note(.needsNoFrame, at: time)
    default:
      recorder.need.store(RunningFrame.Need.frames.rawValue, ordering: .relaxed)
      recorder.note(.needsFrame, at: time)
    }
    if isOne(in: 2) { pass(0...40_000_000) }
  }

  private mutating func mark() {
    pass(1...1000)
    recorder.mark(at: .init(tick: nil, time: time))
    // In time, just late, late, frozen.
    switch Int.random(in: 0..<300, using: &random) {
    case 0: pass(700_000_000...2_500_000_000)
    case 1..<40: pass(8_333_333...40_000_000)
    case 40..<80: pass(8_500_000...8_650_000)
    default: pass(8_000_000...8_400_000)
    }
  }

  private mutating func display() {
    let intervals: [Int64] = [8_333_333, 12_500_000, 16_666_667]
    let interval = intervals.randomElement(using: &random) ?? 1
    let target: Int64? =
      switch Int.random(in: 0..<30, using: &random) {
      case 0: nil
      case 1: timestamp
      case 2: timestamp + 3_000_000_000
      default: timestamp + interval
      }
    time = max(time + 1, timestamp)
    let id = recorder.begin(
      timestamp: timestamp, target: target, at: .init(tick: nil, time: time))
    let begun = time
    say()
    pass(1_000_000...6_000_000)
    // Some end when the next has begun.
    if let before = open.take() { recorder.end(before, at: time - 1) }
    // A refresh that is told twice is one frame, which ends once.
    if id != last {
      if isOne(in: 8) { open = id } else { recorder.end(id, at: time) }
      if kind != .displayLink { show(id, target: timestamp + interval, interval) }
    }
    last = id
    tell(until: begun)
    advance(interval)
  }

  private mutating func advance(_ interval: Int64) {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: timestamp += interval * 12
    case 1: timestamp -= interval * 2
    case 2: break
    case 3...6: timestamp += interval + Int64.random(in: 200_000...300_000, using: &random)
    case 7...14: timestamp += interval * Int64.random(in: 2...5, using: &random)
    case 15: timestamp += Int64.random(in: 700_000_000...1_500_000_000, using: &random)
    default: timestamp += interval
    }
  }

  /// What becomes of a frame, to be told within the next ones.
  private mutating func show(_ id: FrameSeries.FrameID, target: Int64, _ interval: Int64) {
    if kind == .shownInPart, isOne(in: 9) { return }
    let isDropped = isOne(in: 20)
    shown = max(shown + 1, target + interval * (isOne(in: 10) ? 2 : 0))
    mail.append(
      (
        time + Int64.random(in: 0...60_000_000, using: &random), id, isDropped ? nil : shown
      ))
  }

  private mutating func tell(until now: Int64) {
    for (_, id, time) in mail.filter({ $0.due <= now }).shuffled(using: &random) {
      if let time { recorder.presented(id, at: time) } else { recorder.discarded(id) }
    }
    mail.removeAll { $0.due <= now }
  }
}

/// What a monitor told.
final class ToldSeconds: Sendable {
  private let list = Mutex<[FrameMonitor.Second]>([])

  var all: [FrameMonitor.Second] { list.withLock { $0 } }

  func take(_ second: FrameMonitor.Second) { list.withLock { $0.append(second) } }
}
