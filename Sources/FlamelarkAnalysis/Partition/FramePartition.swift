internal import FlamelarkTrace

/// Where the time of each phase of each frame of a series went: a row a phase, only what is not 0.
struct FramePartition {
  /// The self time of a node in a phase.
  struct Entry {
    var node: PathTree.Node
    /// How often its span began.
    var calls: UInt32
    var time: Int64
  }

  /// Where the rest of the frames' time can be asked for.
  private(set) var walk: CriticalWalk
  let phases: FramePhases
  let display: DisplayDelay
  private var entries: [Entry] = []
  /// The entries of each phase.
  private var rows: [Range<Int>]

  /// The time of left-out spans that has nodes of its own, and what is left where it was because
  /// the spans around them don't have it.
  private(set) var foldedTime: (placed: Int64, left: Int64) = (0, 0)

  var tree: PathTree { walk.tree }

  /// The row of a phase, by node.
  func row(ofPhase phase: Int) -> ArraySlice<Entry> { entries[rows[phase]] }

  /// The rows of a frame's phases, one behind the other; empty if it has none.
  func row(of frame: Int) -> ArraySlice<Entry> {
    let own = phases.phases(of: frame)
    guard let first = own.first, let last = own.last else { return [] }
    return entries[rows[first].lowerBound..<rows[last].upperBound]
  }

  /// The time of a phase in which it had something to do.
  func busyTime(ofPhase phase: Int) -> Int64 {
    row(ofPhase: phase).reduce(0) { $1.node == PathTree.waitingLoop ? $0 : $0 + $1.time }
  }

  /// The time of a frame in which its pipeline had something to do.
  func busyTime(of frame: Int) -> Int64 {
    phases.phases(of: frame).reduce(0) { $0 + busyTime(ofPhase: $1) }
  }

  /// Divides the phases of frames: of all, or of those that are asked for; the rows of others are empty.
  /// O(spans + frames), one pass a row.
  init(of judged: JudgedFrames, in trace: Trace, only isAsked: [Bool]? = nil) {
    walk = CriticalWalk(of: judged, in: trace)
    phases = FramePhases(
      of: judged, stages: walk.links.stages, roles: walk.roles, in: trace)
    display = DisplayDelay(of: judged)
    rows = Array(repeating: 0..<0, count: phases.phases.count)
    var collector = RowCollector(of: trace)
    for frame in judged.frames.indices where isAsked?[frame] ?? true {
      let span = judged.series.frames[frame].span
      for phase in phases.phases(of: frame) {
        let first = entries.count
        walk.walk(phases[phase], frameSpan: span, &collector)
        collector.scratch.flush(into: &entries)
        rows[phase] = first..<entries.count
        let sum = row(ofPhase: phase).reduce(0) { $0 + $1.time }
        Law.windowsAreDivided.check(
          sum == phases[phase].range.duration, frame: judged.frames[frame].number,
          "\(sum) of \(phases[phase].range.duration) ns")
      }
    }
    foldedTime = (collector.placedTime, collector.leftTime)
  }
}

/// Adds up the row of a frame.
struct RowCollector: CriticalVisitor {
  var scratch = RowScratch()
  private let trace: Trace
  /// The time that was moved to nodes of left-out spans.
  private(set) var placedTime: Int64 = 0
  /// The time that the spans around them did not have.
  private(set) var leftTime: Int64 = 0

  init(of trace: Trace) { self.trace = trace }

  mutating func spend(_ piece: CriticalPiece) {
    let time = piece.range.upperBound - piece.range.lowerBound
    scratch.add(time: time, to: piece.node)
  }

  mutating func begin(_ span: Int, _ node: PathTree.Node, _ place: CriticalPlace) {
    scratch.addCalls(1, to: node)
  }

  mutating func moveFolded(
    _ index: Int, into node: PathTree.Node, from sources: [PathTree.Node], _ place: CriticalPlace
  ) {
    let sum = trace.folded[index]
    var rest = max(0, sum.selfTime)
    for source in sources where rest > 0 {
      let moved = min(rest, scratch.time(of: source))
      scratch.add(time: -moved, to: source)
      scratch.add(time: moved, to: node)
      placedTime = placedTime.plus(moved)
      rest -= moved
    }
    leftTime = leftTime.plus(rest)
    scratch.addCalls(UInt32(clamping: sum.count), to: node)
  }
}
