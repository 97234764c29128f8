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

  private(set) var tree = PathTree()
  private var entries: [Entry] = []
  /// The entries of each frame.
  private var rows: [Range<Int>]

  /// The time of left-out spans that has nodes of its own, and what is left where it was because
  /// the spans around them don't have it.
  private(set) var foldedTime: (placed: Int64, left: Int64) = (0, 0)

  /// The row of a frame, by node; empty if the frame was not active.
  func row(of frame: Int) -> ArraySlice<Entry> { entries[rows[frame]] }

  /// The time of a frame in which its loop had something to do.
  func busyTime(of frame: Int) -> Int64 {
    row(of: frame).reduce(0) { $1.node == PathTree.waitingLoop ? $0 : $0 + $1.time }
  }

  /// Divides the windows of frames. O(spans + frames), one pass a thread.
  init(of judged: JudgedFrames, in trace: Trace) {
    let frames = judged.series.frames
    rows = Array(repeating: 0..<0, count: judged.frames.count)
    var walk = ThreadWalk(trace: trace, waits: judged.series.waits())
    var scratch = RowScratch()
    let active = judged.frames.indices.filter { judged.frames[$0].isActive }
    Self.forEach(of: active, in: trace, series: judged.series, walk: &walk) { index, walk in
      let window = judged.frames[index].window
      walk.walk(window, frameSpan: frames[index].span, tree: &tree, row: &scratch)
      let first = entries.count
      scratch.flush(into: &entries)
      rows[index] = first..<entries.count
      // Law 1: a window is divided without rest.
      precondition(
        row(of: index).reduce(0) { $0 + $1.time } == window.duration,
        "the parts of frame \(index) don't add up to it")
    }
    foldedTime = (walk.folded.placedTime, walk.folded.unplacedTime)
  }

  /// The call site of each of some nodes that took most time in some frames.
  ///
  /// O(spans of the frames' threads). The frames are among those that were divided.
  func callSites(
    of nodes: Set<PathTree.Node>, in frames: [Int], judged: JudgedFrames, trace: Trace
  ) -> [PathTree.Node: CallSiteID] {
    guard !nodes.isEmpty, !frames.isEmpty else { return [:] }
    var tree = tree
    var walk = ThreadWalk(trace: trace, waits: [])
    walk.callSites = CallSiteTimes(of: nodes)
    var unused = RowScratch()
    Self.forEach(of: frames, in: trace, series: judged.series, walk: &walk) { index, walk in
      let span = judged.series.frames[index].span
      walk.walk(judged.frames[index].window, frameSpan: span, tree: &tree, row: &unused)
    }
    return walk.callSites?.greatest() ?? [:]
  }

  /// Calls `body` with frames in the order of their threads, then of their numbers.
  private static func forEach(
    of frames: [Int], in trace: Trace, series: Trace.FrameSeries, walk: inout ThreadWalk,
    _ body: (Int, inout ThreadWalk) -> Void
  ) {
    let byTrack =
      frames
      .filter { trace.tracks.indices.contains(series.frames[$0].track) }
      .sorted { (series.frames[$0].track, $0) < (series.frames[$1].track, $1) }
    var track: Int?
    for index in byTrack {
      if series.frames[index].track != track {
        track = series.frames[index].track
        walk.enter(
          thread: trace.tracks[series.frames[index].track].spans,
          track: series.frames[index].track)
      }
      body(index, &walk)
    }
  }
}

extension Trace.FrameSeries {
  /// The times from the end of a frame to the beginning of the next, ascending and apart.
  func waits() -> [Range<Int64>] {
    guard mode == .displayLink || mode == .presented else { return [] }
    var waits: [Range<Int64>] = []
    for (frame, next) in zip(frames, frames.dropFirst()) {
      guard let end = frame.end, end < next.begin else { continue }
      guard waits.last.map({ $0.upperBound <= end }) ?? true else { continue }
      waits.append(end..<next.begin)
    }
    return waits
  }
}
