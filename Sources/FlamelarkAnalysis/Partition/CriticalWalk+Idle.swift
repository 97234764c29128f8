internal import FlamelarkTrace

extension CriticalWalk {
  /// Time of a row in no span.
  mutating func spendIdle<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard isLoopRow[row], !waits.isEmpty else {
      spendUnspanned(range, row, place, &visitor)
      return
    }
    var time = range.lowerBound
    var wait = waits.partitionPoint { $0.upperBound <= time }
    while time < range.upperBound {
      guard wait < waits.count, waits[wait].lowerBound < range.upperBound else { break }
      let from = max(time, waits[wait].lowerBound)
      let to = min(range.upperBound, waits[wait].upperBound)
      spendUnspanned(time..<from, row, place, &visitor)
      if from < to {
        give(from..<to, row, Trace.Spans.none, as: .waiting, place, &visitor)
      }
      time = max(time, to)
      wait += 1
      effort -= 1
    }
    spendUnspanned(time..<range.upperBound, row, place, &visitor)
  }

  /// Time of a row in no span of its own: that of the task that it ran, or of who was asked to let it
  /// go on.
  private mutating func spendUnspanned<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    guard !range.isEmpty else { return }
    guard !links.tasks.isEmpty, trace.tracks[row].kind == .thread else {
      spendGap(range, row, place, &visitor)
      return
    }
    var time = range.lowerBound
    while time < range.upperBound {
      let (task, until) = links.tasks.task(on: row, at: time)
      var part = time..<min(range.upperBound, until)
      if let task, let own = openRow(of: task, at: time) {
        walk(own, part, place, &visitor)
      } else {
        // Up to the next span of the task it is a gap.
        let next = task.map { nextStart(of: $0, after: time) } ?? .max
        part = time..<min(part.upperBound, next)
        spendGap(part, row, place, &visitor)
      }
      time = part.upperBound
    }
  }

  /// The row of a task that has a span open at a time; nil if none has. O(rows · log spans).
  func openRow(of task: Int, at time: Int64) -> Int? {
    links.tasks.tasks[task].rows.first { row in
      let spans = spansOfRow[row]
      let starts = trace.spans.start
      let next = spans.partitionPoint { starts[$0] <= time }
      guard next > spans.lowerBound else { return false }
      var span = UInt32(truncatingIfNeeded: next - 1)
      for _ in 0..<64 where span != Trace.Spans.none {
        if trace.spans.end[Int(span)] > time { return true }
        span = trace.spans.parent[Int(span)]
      }
      return false
    }
  }

  /// When the next span begins on a row of a task. O(rows · log spans).
  private func nextStart(of task: Int, after time: Int64) -> Int64 {
    let starts = trace.spans.start
    return links.tasks.tasks[task].rows.reduce(.max) { nearest, row in
      let spans = spansOfRow[row]
      let next = spans.partitionPoint { starts[$0] <= time }
      return next < spans.upperBound ? min(nearest, starts[next]) : nearest
    }
  }

  private mutating func spendGap<Visitor: CriticalVisitor>(
    _ range: Range<Int64>, _ row: Int, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let none = Trace.Spans.none
    // On the loop's rows time outside of spans is work that nobody wrapped.
    if !isLoopRow[row], let idle = links.idleHop(on: row, at: range.upperBound) {
      let split = min(max(idle.hop.end, range.lowerBound), range.upperBound)
      follow(idle.hop, range.lowerBound..<split, row, none, place, &visitor)
      give(
        split..<range.upperBound, row, UInt32(truncatingIfNeeded: idle.span), as: .queued, place,
        &visitor)
      return
    }
    if links.hasStates(row) {
      spendByState(range, row, none, place, &visitor)
    } else {
      give(range, row, none, as: .uninstrumented, place, &visitor)
    }
  }

  /// Walks what a task did, on whatever threads it ran.
  mutating func walkTask<Visitor: CriticalVisitor>(
    _ task: Int, _ window: Range<Int64>, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let own = links.tasks.tasks[task]
    var time = window.lowerBound
    var run = own.runs.partitionPoint { $0.range.upperBound <= time }
    while time < window.upperBound {
      let next = run < own.runs.count ? own.runs[run].range.lowerBound : .max
      if next > time {
        // It ran nowhere: its own row says what it waited for.
        let part = time..<min(window.upperBound, next)
        if let row = openRow(of: task, at: time) {
          walk(row, part, place, &visitor)
        } else {
          spendUnstarted(task, part, place, &visitor)
        }
        time = part.upperBound
        continue
      }
      let part = time..<min(window.upperBound, own.runs[run].range.upperBound)
      walk(own.runs[run].row, part, place, &visitor)
      time = max(time, part.upperBound)
      run += 1
    }
  }

  /// Time of a task that was not seen to run and has no span: it was asked for and had not begun.
  private mutating func spendUnstarted<Visitor: CriticalVisitor>(
    _ task: Int, _ range: Range<Int64>, _ place: CriticalPlace, _ visitor: inout Visitor
  ) {
    let own = links.tasks.tasks[task]
    let row = own.runs.first?.row ?? own.rows.first ?? frame.row
    guard let origin = own.origin else {
      give(range, row, Trace.Spans.none, as: .queued, place, &visitor)
      return
    }
    let split = min(max(origin.end, range.lowerBound), range.upperBound)
    follow(origin, range.lowerBound..<split, row, Trace.Spans.none, place, &visitor)
    give(split..<range.upperBound, row, Trace.Spans.none, as: .queued, place, &visitor)
  }
}
