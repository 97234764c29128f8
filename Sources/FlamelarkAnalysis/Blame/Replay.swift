internal import FlamelarkTrace

/// Runs phases again with some causes at what they normally cost, and says how much sooner they end.
///
/// Along a row what is saved adds up. Where the row waits, or would have waited had it come sooner, it
/// goes on when what it waited for is done, and that may be sooner too. Where a row was idle and
/// somebody asked it for work, it begins when that was asked for; where nobody is known to have asked,
/// it begins when it did. So it costs the spans of the phase, and of the rows that it waited for.
struct Replay {
  private let trace: Trace
  private let cut: NamedCut
  private var walk: CriticalWalk
  private var kept: [Int: Double] = [:]
  private var origin: Int64 = 0
  /// How far each row has got.
  private var rows: [Int: Progress] = [:]

  /// A row up to some moment.
  private struct Progress {
    var time: Int64
    /// What is saved until then.
    var saved: Double
  }

  init(of cut: NamedCut, walk: CriticalWalk) {
    trace = walk.trace
    self.cut = cut
    self.walk = walk
  }

  /// By how many nanoseconds a phase would have ended sooner. `kept` says what of the time of each
  /// definition stays: 0…1.
  mutating func saving(
    in phase: FramePhases.Phase, frameSpan: Int?, kept: [Int: Double]
  ) -> Double {
    self.kept = kept
    walk.aim(at: phase, frameSpan: frameSpan)
    origin = phase.range.lowerBound
    rows.removeAll(keepingCapacity: true)
    return saved(on: phase.row, until: phase.range.upperBound, hops: 0)
  }

  /// What is saved on a row from the beginning of the phase until a moment.
  private mutating func saved(on row: Int, until end: Int64, hops: Int) -> Double {
    var progress = rows[row] ?? Progress(time: origin, saved: 0)
    guard progress.time < end, hops < CriticalWalk.mostHops else { return progress.saved }
    // Whoever asks in between is told what is known so far.
    rows[row] = progress
    walk.prepare(row)
    let spans = trace.tracks[row].spans
    var next = spans.partitionPoint { trace.spans.start[$0] < progress.time }
    var current = next > spans.lowerBound ? UInt32(truncatingIfNeeded: next - 1) : Trace.Spans.none
    while current != Trace.Spans.none, trace.spans.end[Int(current)] < progress.time {
      current = trace.spans.parent[Int(current)]
    }
    while progress.time < end {
      let begun = next < spans.upperBound && trace.spans.start[next] < end
      let until = begun ? trace.spans.start[next] : end
      let parent = begun ? trace.spans.parent[next] : Trace.Spans.none
      while current != Trace.Spans.none, begun ? current != parent : true {
        let stop = min(trace.spans.end[Int(current)], until)
        advance(&progress, row, current, to: stop, hops)
        if trace.spans.end[Int(current)] > until { break }
        current = trace.spans.parent[Int(current)]
      }
      advance(&progress, row, current, to: until, hops)
      guard begun else { break }
      current = UInt32(truncatingIfNeeded: next)
      enter(next, on: row, &progress, hops)
      next += 1
    }
    rows[row] = progress
    return progress.saved
  }

  /// A span begins. If it is a wait that did not block, it may now have to.
  private mutating func enter(_ span: Int, on row: Int, _ progress: inout Progress, _ hops: Int) {
    guard walk.links.mayWait(span), let wait = walk.links.wait(of: span),
      let end = wait.endedAt, end <= trace.spans.start[span], end > origin,
      let hop = walk.links.hop(of: wait, on: row)
    else { return }
    rows[row] = progress
    let slack = Double(trace.spans.start[span] - end)
    progress.saved = min(progress.saved, saved(at: hop.target, until: end, hops + 1) + slack)
  }

  /// A row goes on to a moment, in one innermost span or in none.
  private mutating func advance(
    _ progress: inout Progress, _ row: Int, _ span: UInt32, to end: Int64, _ hops: Int
  ) {
    guard end > progress.time else { return }
    defer { progress.time = end }
    let range = progress.time..<end
    if span != Trace.Spans.none, walk.links.mayWait(Int(span)),
      let wait = walk.links.wait(of: Int(span)), let hop = walk.links.hop(of: wait, on: row)
    {
      let woken = min(max(hop.end, range.lowerBound), range.upperBound)
      if woken > range.lowerBound {
        rows[row] = progress
        let other = saved(at: hop.target, until: woken, hops + 1)
        progress.saved = min(progress.saved + Double(woken - range.lowerBound), other)
      }
      progress.saved += savedAlone(in: woken..<range.upperBound, row, span)
      return
    }
    if span == Trace.Spans.none, !walk.isLoop(row), !walk.runsTask(row, in: range) {
      progress.saved = savedIdle(progress, row, until: end, hops)
      return
    }
    advanceByState(&progress, row, span, through: range, hops)
  }

  /// The same where a row may have been seen not to run: woken by another it goes on when that one came
  /// to it.
  private mutating func advanceByState(
    _ progress: inout Progress, _ row: Int, _ span: UInt32, through range: Range<Int64>,
    _ hops: Int
  ) {
    var time = range.lowerBound
    for state in walk.links.states(of: row, in: range) where state.kind == .blocked {
      guard let waker = state.wokenBy, waker != row else { continue }
      let from = max(time, state.range.lowerBound)
      let woken = min(max(state.wokenAt ?? state.range.upperBound, from), range.upperBound)
      progress.saved += savedAlone(in: time..<from, row, span)
      time = woken
      guard from < woken else { continue }
      rows[row] = Progress(time: from, saved: progress.saved)
      let other = saved(on: waker, until: woken, hops: hops + 1)
      progress.saved = min(progress.saved + Double(woken - from), other)
    }
    progress.saved += savedAlone(in: time..<range.upperBound, row, span)
  }

  /// What is saved of a row's own time.
  private mutating func savedAlone(in range: Range<Int64>, _ row: Int, _ span: UInt32) -> Double {
    guard !range.isEmpty else { return 0 }
    var saving = Saving(cut: cut, kept: kept)
    walk.spendAlone(range, row, span, &saving)
    return saving.time
  }

  /// Adds up what is saved of pieces.
  private struct Saving: CriticalVisitor {
    let cut: NamedCut
    let kept: [Int: Double]
    var time = 0.0

    mutating func spend(_ piece: CriticalPiece) {
      guard let definition = cut.definitionIfKnown(of: piece.node), let part = kept[definition]
      else { return }
      time += (1 - part) * Double(piece.range.upperBound - piece.range.lowerBound)
    }
  }

  /// A row was idle until a moment, at which it was asked for something or began by itself.
  private mutating func savedIdle(
    _ progress: Progress, _ row: Int, until end: Int64, _ hops: Int
  ) -> Double {
    guard let idle = walk.links.idleHop(on: row, at: end) else { return 0 }
    rows[row] = progress
    let asked = max(idle.hop.end, origin)
    let earlier = idle.hop.end > origin ? saved(at: idle.hop.target, until: asked, hops + 1) : 0
    let ready = max(Double(progress.time) - progress.saved, Double(asked) - earlier)
    return max(0, Double(max(progress.time, asked)) - ready)
  }

  private mutating func saved(at target: Hop.Target, until end: Int64, _ hops: Int) -> Double {
    switch target {
    case .row(let row): return saved(on: row, until: end, hops: hops)
    case .task(let task):
      guard let row = walk.links.tasks.row(of: task, at: end) else { return 0 }
      return saved(on: row, until: end, hops: hops)
    }
  }
}
