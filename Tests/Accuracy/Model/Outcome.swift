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
  private let frameCount: Int
  private var before: FrameTimes?

  init(of plan: Plan) {
    isPresented = plan.cell.isPresented
    frameCount = plan.frameCount
    rawLateness.reserveCapacity(frameCount)
    lateness.reserveCapacity(frameCount)
  }

  /// Milliseconds of lateness in a second.
  var ratio: Double { 1000 * Double(lateness.reduce(0, +)) / Double(activeTime) }

  /// The frames that were late.
  var hitches: [Int] { lateness.indices.filter { lateness[$0] > 0 } }

  /// Takes in the next frame. `interlude` is what lies behind it.
  mutating func add(_ frame: FrameTimes, interlude: Interlude?) {
    if isPresented { addPresented(frame) } else { addLinked(frame, interlude: interlude) }
    before = frame
  }

  /// A frame ends where the next one begins; that is when it is due, or when the loop was ready.
  private mutating func addLinked(_ frame: FrameTimes, interlude: Interlude?) {
    // The last frame has no end.
    guard frame.number + 1 < frameCount else {
      add(0, of: frame)
      return
    }
    activeTime += max(frame.target, frame.end) - frame.timestamp
    add(frame.end - frame.target, of: frame)
  }

  private mutating func addPresented(_ frame: FrameTimes) {
    // What is shown first in its segment is not late.
    guard let before else {
      add(0, of: frame)
      return
    }
    activeTime += frame.presented - before.presented
    add(frame.presented - max(frame.target, before.presented + frame.interval), of: frame)
  }

  private mutating func add(_ late: Int64, of frame: FrameTimes) {
    let tolerance = max(250_000, frame.interval * 3 / 100)
    rawLateness.append(max(0, late))
    lateness.append(late > tolerance ? late : 0)
  }
}
