/// How late the frames of a run were, by the rule of `Documentation/Hitches.md`, worked out here once
/// more so that the engine's lateness is checked.
struct Outcome {
  /// By how much each frame came after it was due, in nanoseconds, without the tolerance.
  private(set) var rawLateness: [Int64] = []
  /// The same, 0 within the tolerance.
  private(set) var lateness: [Int64] = []
  /// The time in which frames were asked for, in nanoseconds.
  private(set) var activeTime: Int64 = 0
  private let isPresented: Bool
  /// When the last frame was shown, or what of the time behind it was rest; nil in a new segment.
  private var shown: Int64?
  /// What lies between the last frame and the next one.
  private var interlude: Interlude.Kind?
  /// When the last frame was due, nil in a new segment.
  private var lastTarget: Int64?
  /// From timestamp to target of the last frame.
  private var extent: Int64 = 0

  init(of plan: Plan) {
    isPresented = plan.cell.isPresented
    rawLateness.reserveCapacity(plan.frameCount)
    lateness.reserveCapacity(plan.frameCount)
  }

  /// Milliseconds of lateness in a second.
  var ratio: Double { 1000 * Double(lateness.reduce(0, +)) / Double(activeTime) }

  /// The frames that were late.
  var hitches: [Int] { lateness.indices.filter { lateness[$0] > 0 } }

  /// Takes in the next frame. `next` is when the one behind it begins, `interlude` what lies between.
  mutating func add(_ frame: FrameTimes, next: Int64?, interlude: Interlude.Kind?) {
    let due = frame.due
    // Where no target is told the interval before holds on.
    if due.isTargetGiven { extent = due.target - due.timestamp }
    if isPresented {
      addPresented(frame)
    } else {
      addLinked(frame, next: next, interlude: interlude)
    }
    self.interlude = interlude
  }

  private mutating func addLinked(_ frame: FrameTimes, next: Int64?, interlude: Interlude.Kind?) {
    let (timestamp, target) = (frame.due.timestamp, frame.due.timestamp + extent)
    switch (interlude, next) {
    case (.noFrameNeeded, _), (.pause, _):
      activeTime += max(target, frame.end) - timestamp
      add(frame.end - target, interval: extent)
    // More than ten intervals in which it waited: a rest. The last frame has no end.
    case (.jump, _), (nil, nil): add(0, interval: extent)
    case (nil, let next?):
      activeTime += next - timestamp
      add(next - target, interval: extent)
    }
  }

  private mutating func addPresented(_ frame: FrameTimes) {
    if interlude == .pause { (shown, lastTarget) = (nil, nil) }
    let target = frame.due.timestamp + extent
    let interval = interval(of: frame.due, target: target)
    // What it may take, of which its tolerance is a part.
    let isStated = frame.due.isTargetGiven && frame.due.isIntervalGiven
    let whole = isStated ? interval : extent
    lastTarget = target
    // What is shown first in its segment is not late.
    guard let before = shown else {
      shown = frame.presented
      add(0, interval: whole)
      return
    }
    // Behind a rest time counts from one interval before the target.
    let activeFrom = interlude == nil ? before : max(before, target - interval)
    shown = max(activeFrom, frame.presented)
    activeTime += max(0, frame.presented - activeFrom)
    add(frame.presented - max(target, before + interval, activeFrom), interval: whole)
  }

  /// From one frame to the next: what is told, else from the target of the one before.
  private func interval(of due: FrameDue, target: Int64) -> Int64 {
    if due.isTargetGiven, due.isIntervalGiven { return due.interval }
    guard let lastTarget, target - lastTarget >= 1_000_000 else { return extent }
    return min(extent, target - lastTarget)
  }

  private mutating func add(_ late: Int64, interval: Int64) {
    let tolerance = max(250_000, interval * 3 / 100)
    rawLateness.append(max(0, late))
    lateness.append(late > tolerance ? late : 0)
  }
}
