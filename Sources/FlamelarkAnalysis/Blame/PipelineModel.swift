internal import FlamelarkTrace

/// The part of a pipeline that bears on one hitch: its frame and the earlier ones that it waited for.
///
/// With e(j, s) = max(e(j, s − 1), e(j − 1, s)) + d(j, s) the model gives back when each phase ended, and
/// says when it would have ended had some of them taken less.
struct PipelineModel {
  /// A phase that may have taken less.
  struct Phase {
    /// The index of its frame.
    var frame: Int
    /// Its number among all phases.
    var number: Int
    /// Its row, counted within the model.
    var row: Int
    /// It can't begin before.
    var floor: Double
    var duration: Double
    /// What it took over normal, at least 0.
    var excess: Double
  }

  /// Frames further back bear nothing.
  static let mostFrames = 10
  private static let steps = 12

  private(set) var phases: [Phase] = []
  /// The last phases of the frame itself, and of the frame shown before it; -1: it has none.
  private var ownLast = -1
  private var previousLast = -1
  private var lateness = 0.0
  private var inherited = 0.0
  private var interval = 0.0
  /// When those two phases really ended.
  private var ownEnd = 0.0
  private var previousEnd = 0.0
  /// The rows that it has, and until when each is busy.
  private var rows: [Int] = []
  private var busy: [Double] = []
  private var ends: [Double] = []
  /// How much of its excess each phase has: 0…1.
  private var grown: [Double] = []

  private let display: DisplayDelay

  init(display: DisplayDelay) { self.display = display }

  /// Whether frames are in it that came before those whose place it is about.
  private(set) var hasEarlierFrames = false

  /// Takes in what bears on a hitch. `excess` says what a phase of a frame took over normal.
  mutating func load(
    _ frame: Int, of judged: JudgedFrames, _ all: FramePhases,
    excess: (_ frame: Int, _ phase: Int) -> Double
  ) {
    phases.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    grown.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    busy.removeAll(keepingCapacity: true)
    let verdict = judged.frames[frame]
    let first = frame - verdict.placesBack
    var start = first
    while start > 0, first - start < Self.mostFrames,
      start == first && verdict.inherited > 0 || Self.waits(start, in: all)
    {
      start -= 1
    }
    previousLast = -1
    for index in start...first {
      add(index, behindFrame: index > start, of: judged, all, excess)
      if index == first - 1 { previousLast = phases.count - 1 }
    }
    hasEarlierFrames = phases.first.map { $0.frame < first } ?? false
    let hasDropped = first < frame && phases.last?.frame == first
    run()
    guard !(hasDropped && aimsAtDropped(verdict)) else { return }
    // Of very many that were dropped, the last ones.
    var index = max(first + 1, frame - Self.mostFrames)
    while index <= frame {
      add(index, behindFrame: phases.last?.frame == index - 1, of: judged, all, excess)
      index += 1
    }
    run()
    aim(at: verdict)
  }

  private mutating func add(
    _ index: Int, behindFrame: Bool, of judged: JudgedFrames, _ all: FramePhases,
    _ excess: (_ frame: Int, _ phase: Int) -> Double
  ) {
    for number in all.phases(of: index) {
      let phase = all[number]
      let isBound = Self.isBound(number, of: index, behindFrame: behindFrame, in: all)
      let isFirst = number == all.phases(of: index).first
      let earliest =
        !isBound
        ? phase.range.lowerBound : isFirst ? judged.series.frames[index].timestamp : .min
      let row = rows.firstIndex(of: phase.row) ?? rows.count
      if row == rows.count {
        rows.append(phase.row)
        busy.append(0)
      }
      phases.append(
        Phase(
          frame: index, number: number, row: row, floor: Double(earliest),
          duration: Double(phase.range.duration), excess: excess(index, number)))
      ends.append(0)
      grown.append(1)
    }
  }

  /// Where the first of the dropped frames was not ready in time, that is what made the hitch: else it
  /// would have been shown.
  private mutating func aimsAtDropped(_ verdict: JudgedFrames.Frame) -> Bool {
    ownLast = phases.count - 1
    let late = ends[ownLast] + display.least - Double(verdict.target)
    guard late > 0 else { return false }
    aim(at: verdict, lateness: late)
    return true
  }

  /// What counts as late. The time until the display's next change, which nobody spent, is no part of it:
  /// it follows from the rest, which so stands for all of the lateness.
  private mutating func aim(at verdict: JudgedFrames.Frame, lateness known: Double? = nil) {
    ownLast = phases.count - 1
    lateness = known ?? Double(verdict.lateness)
    inherited = Double(verdict.inherited)
    interval = Double(verdict.slot)
    guard ownLast >= 0 else { return }
    if known == nil, display.isInSteps {
      let over = ends[ownLast] + display.least - Double(verdict.target)
      lateness = min(lateness, max(0, over))
    }
    ownEnd = ends[ownLast]
    if previousLast >= 0 { previousEnd = ends[previousLast] }
  }

  /// The part of a hitch's lateness that is left if each phase took less by what `saving` says: 0…1.
  mutating func rest(saving: (Phase) -> Double) -> Double {
    guard lateness > 0 else { return 1 }
    let left = lateness(saving: saving)
    guard display.isInSteps, interval > 0 else { return left / lateness }
    // A display that changes in steps shows a frame whole steps sooner, or as late as before.
    return (left / interval).rounded(.up) / (lateness / interval).rounded(.up)
  }

  /// Gives no phase less than it took where none took more than normal, but for noise.
  mutating func replaceExcesses(_ excess: (_ frame: Int, _ phase: Int) -> Double) {
    for index in phases.indices {
      phases[index].excess = excess(phases[index].frame, phases[index].number)
    }
  }

  /// What of the lateness each phase bears, and what none does: the Aumann–Shapley value.
  ///
  /// All excesses grow together from nothing to what they were. What a step adds to the lateness goes
  /// to the phases in proportion to what each would have added alone.
  mutating func shares() -> (phases: [Double], rest: Double) {
    var shares = Array(repeating: 0.0, count: phases.count)
    let growing = phases.indices.filter { phases[$0].excess > 0 }
    for phase in growing { grown[phase] = 0 }
    var reached = latenessNow()
    let rest = reached
    var added = Array(repeating: 0.0, count: growing.count)
    for step in 1...Self.steps where !growing.isEmpty {
      let (before, after) = (
        Double(step - 1) / Double(Self.steps), Double(step) / Double(Self.steps)
      )
      for (place, phase) in growing.enumerated() {
        grown[phase] = after
        added[place] = abs(latenessNow() - reached)
        grown[phase] = before
      }
      for phase in growing { grown[phase] = after }
      let next = latenessNow()
      let sum = added.reduce(0, +)
      // Where none adds anything alone, all of them do it together.
      for (place, phase) in growing.enumerated() {
        let part = sum > 0 ? added[place] / sum : 1 / Double(growing.count)
        shares[phase] += (next - reached) * part
      }
      reached = next
    }
    for phase in growing { grown[phase] = 1 }
    return (shares.map { max(0, $0) }, max(0, rest))
  }

  /// The lateness if each phase took less by what `saving` says.
  private mutating func lateness(saving: (Phase) -> Double) -> Double {
    for index in phases.indices {
      phases[index].excess = saving(phases[index])
      grown[index] = 0
    }
    defer { for index in grown.indices { grown[index] = 1 } }
    return latenessNow()
  }

  /// The lateness with the excesses that phases have now.
  private mutating func latenessNow() -> Double {
    guard ownLast >= 0 else { return lateness }
    run()
    let gain = ownEnd - ends[ownLast]
    let previousGain = previousLast >= 0 ? previousEnd - ends[previousLast] : 0
    // Behind its target, and behind the frame shown before it, if that was later.
    let allowed = max(0, inherited - previousGain)
    return max(0, lateness + inherited - gain - allowed)
  }

  /// Finds when each phase ends.
  private mutating func run() {
    for row in busy.indices { busy[row] = -.infinity }
    var time = -Double.infinity
    var frame = -1
    for (index, phase) in phases.enumerated() {
      if phase.frame != frame {
        frame = phase.frame
        time = -.infinity
      }
      time = max(time, phase.floor, busy[phase.row])
      time += phase.duration - (1 - grown[index]) * min(phase.excess, phase.duration)
      busy[phase.row] = time
      ends[index] = time
    }
  }

  /// Whether a phase of a frame began when its row was done with the frame before.
  private static func waits(_ frame: Int, in all: FramePhases) -> Bool {
    all.phases(of: frame).contains { waits($0, forFrame: frame - 1, in: all) }
  }

  private static func waits(_ number: Int, forFrame before: Int, in all: FramePhases) -> Bool {
    all.phases(of: before).contains {
      all[$0].row == all[number].row
        && all[$0].range.upperBound == all[number].range.lowerBound
    }
  }

  /// Whether a phase began when the one before it ended, or its row was done with the frame before.
  private static func isBound(
    _ number: Int, of frame: Int, behindFrame: Bool, in all: FramePhases
  ) -> Bool {
    if number > all.phases(of: frame).lowerBound,
      all[number - 1].range.upperBound == all[number].range.lowerBound
    {
      return true
    }
    return behindFrame && waits(number, forFrame: frame - 1, in: all)
  }
}
