internal import FlamelarkFormat
internal import FlamelarkTrace

/// The pieces of a pipeline that frames go through, one after the other: the loop's part, then the
/// stages on other rows.
///
/// A phase begins when the one before it had ended, and when its row was done with the frame before.
/// It ends when it is done: so it has the work and the time until somebody took it up. With e the end
/// of frame j's phase s and d its duration, e(j, s) = max(e(j, s − 1), e(j − 1, s)) + d(j, s). Where it is
/// not known when frames were shown, a frame has one phase: its window.
struct FramePhases {
  /// A phase of a frame.
  struct Phase {
    var row: Int
    /// Which part of the pipeline it is, by the role of its row: 0 is the loop.
    var position: Int
    var range: Range<Int64>
  }

  private(set) var phases: [Phase] = []
  /// The phases of each frame.
  private var phasesOf: [Range<Int>] = []
  /// How many positions there are.
  private(set) var positionCount = 1

  /// The phases of a frame, in their order. None of one that was idle; where it is not known when frames
  /// were shown, none of one that was cut off.
  func phases(of frame: Int) -> Range<Int> { phasesOf[frame] }

  subscript(phase: Int) -> Phase { phases[phase] }

  /// `stages` are those of the series, by frame and time. O(frames + stages).
  init(of judged: JudgedFrames, stages: [RowLinks.Stage], roles: RowRoles, in trace: Trace) {
    phasesOf.reserveCapacity(judged.frames.count)
    guard judged.series.mode == .presented else {
      for (index, frame) in judged.frames.enumerated() {
        let first = phases.count
        if frame.isActive {
          let row = judged.series.frames[index].track
          phases.append(Phase(row: row, position: 0, range: frame.window))
        }
        phasesOf.append(first..<phases.count)
      }
      return
    }
    var positions: [PathTree.Role: Int] = [:]
    // Until when each row was busy with the frame before.
    var busy: [Int: Int64] = [:]
    var next = 0
    for (index, verdict) in judged.frames.enumerated() {
      let frame = judged.series.frames[index]
      let first = phases.count
      let ownStages = Self.stages(ofFrame: frame.number, in: stages, from: &next, trace)
      defer { phasesOf.append(first..<phases.count) }
      let ends = ownStages.map(\.end) + (frame.end.map { [$0] } ?? [])
      guard frame.isPlausible, !verdict.isIdle, !ends.isEmpty,
        ends.allSatisfy(Lateness.plausibleTimes.contains)
      else { continue }
      if frame.beginsSegment { busy = [:] }
      func add(_ row: Int, _ position: Int, from: Int64, to: Int64) -> Int64 {
        let start = max(from, busy[row] ?? .min)
        let end = max(start, to)
        phases.append(Phase(row: row, position: position, range: start..<end))
        busy[row] = end
        return end
      }
      var time = add(
        frame.track, 0, from: frame.timestamp, to: frame.end ?? verdict.window.lowerBound)
      for stage in ownStages where stage.row != frame.track {
        let position = positions[roles[stage.row]] ?? positions.count + 1
        positions[roles[stage.row]] = position
        time = add(stage.row, position, from: time, to: stage.end)
      }
    }
    positionCount = positions.count + 1
  }

  /// The stages of a frame, those of one row as one, in the order in which rows took it up.
  private static func stages(
    ofFrame number: Int, in stages: [RowLinks.Stage], from next: inout Int, _ trace: Trace
  ) -> [(row: Int, end: Int64)] {
    var found: [(row: Int, end: Int64)] = []
    while next < stages.count, stages[next].frame <= number {
      defer { next += 1 }
      let stage = stages[next]
      guard stage.frame == number, !trace.spans.isUnfinished(stage.span) else { continue }
      let end = trace.spans.end[stage.span]
      if let known = found.firstIndex(where: { $0.row == stage.row }) {
        found[known].end = max(found[known].end, end)
      } else {
        found.append((stage.row, end))
      }
    }
    return found
  }
}
