internal import FlamelarkTrace

/// Where the time of each frame of a series went: a row a frame, only what is not 0.
struct FramePartition {
  /// The self time of a node in a frame.
  struct Entry {
    var node: PathTree.Node
    /// How often its span began.
    var calls: UInt32
    var time: Int64
  }

  /// Where the rest of the frames' time can be asked for.
  private(set) var walk: CriticalWalk
  private var entries: [Entry] = []
  /// The entries of each frame.
  private var rows: [Range<Int>]
  /// The time that each frame lost to earlier ones; empty where no frame did.
  private var carries: [Int64] = []

  /// The time of left-out spans that has nodes of its own, and what is left where it was because
  /// the spans around them don't have it.
  private(set) var foldedTime: (placed: Int64, left: Int64) = (0, 0)

  var tree: PathTree { walk.tree }

  /// The row of a frame, by node; empty if the frame was not active. Without what earlier frames did.
  func row(of frame: Int) -> ArraySlice<Entry> { entries[rows[frame]] }

  /// The time in the window of a frame in which earlier ones still ran.
  func carry(of frame: Int) -> Int64 { carries.isEmpty ? 0 : carries[frame] }

  /// The time of a frame in which its loop had something to do.
  func busyTime(of frame: Int) -> Int64 {
    row(of: frame).reduce(0) { walk.tree.timeClass(of: $1.node) == .waiting ? $0 : $0 + $1.time }
  }

  /// Divides the windows of frames. O(spans + frames), one pass a row.
  init(of judged: JudgedFrames, in trace: Trace) {
    rows = Array(repeating: 0..<0, count: judged.frames.count)
    walk = CriticalWalk(of: judged, in: trace)
    var collector = RowCollector(of: trace)
    for index in Self.order(of: judged) {
      walk.walk(index, of: judged, &collector)
      let first = entries.count
      let carry = collector.scratch.flush(into: &entries)
      rows[index] = first..<entries.count
      if carry > 0 {
        if carries.isEmpty { carries = Array(repeating: 0, count: judged.frames.count) }
        carries[index] = carry
      }
      let sum = row(of: index).reduce(carry) { $0 + $1.time }
      Law.windowsAreDivided.check(
        sum == judged.frames[index].window.duration, frame: index,
        "\(sum) of \(judged.frames[index].window.duration) ns")
    }
    foldedTime = (collector.placedTime, collector.leftTime)
  }

  /// The frames that can be late, those of one row after the other.
  static func order(of judged: JudgedFrames) -> [Int] {
    let frames = judged.series.frames
    return judged.frames.indices.filter { judged.frames[$0].isActive }
      .sorted { (frames[$0].track, $0) < (frames[$1].track, $1) }
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
    if piece.place.earlierFrame == nil {
      scratch.add(time: time, to: piece.node)
    } else {
      scratch.add(carry: time)
    }
  }

  mutating func begin(_ span: Int, _ node: PathTree.Node, _ place: CriticalPlace) {
    if place.earlierFrame == nil { scratch.addCalls(1, to: node) }
  }

  mutating func moveFolded(
    _ index: Int, into node: PathTree.Node, from sources: [PathTree.Node], _ place: CriticalPlace
  ) {
    guard place.earlierFrame == nil else { return }
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
