internal import FlamelarkTrace

/// Who was waited for: the waits, links, stages and thread states of a trace, by row and span.
struct RowLinks {
  private let trace: Trace
  let tasks: TaskRuns
  /// Whether a call site has waits.
  private var waitsAt: [Bool]
  /// What spans that begin on an idle row were asked for by, in the order of time.
  private var idleHops: [[IdleHop]]
  /// The thread states of each row.
  private var states: [Range<Int>]
  /// The stages of the series: the frame of each span that is one, by row. Empty where a row has none.
  private var stageRows: [Bool]
  private var stageFrames: [Int: Int] = [:]

  /// The last stage of each frame on another row than the loop's.
  private(set) var lastStages: [Int: Stage] = [:]
  /// All stages of the series, by frame and time.
  private(set) var stages: [Stage] = []

  /// A stage of the series.
  struct Stage: Sendable {
    var span: Int
    var row: Int
    var frame: Int
  }

  /// O(links · log spans).
  init(of trace: Trace, series: Trace.FrameSeries) {
    self.trace = trace
    tasks = TaskRuns(of: trace)
    waitsAt = Array(repeating: false, count: trace.callSites.count)
    for wait in trace.waits { waitsAt[Int(trace.spans.site[wait.span].index)] = true }
    states = Array(repeating: 0..<0, count: trace.tracks.count)
    var first = 0
    while first < trace.threadStates.count {
      let track = trace.threadStates[first].track
      let next = trace.threadStates[first...].partitionPoint { $0.track <= track }
      states[track] = first..<next
      first = next
    }
    stageRows = Array(repeating: false, count: trace.tracks.count)
    idleHops = Array(repeating: [], count: trace.tracks.count)
    stages = ownStages(series)
    addStageHops(stages, series)
    addFlowHops()
    for row in idleHops.indices where idleHops[row].count > 1 {
      idleHops[row].sort { ($0.start, $0.span, $0.hop.end) < ($1.start, $1.span, $1.hop.end) }
    }
  }

  /// Whether anybody was ever waited for.
  var isEmpty: Bool {
    trace.waits.isEmpty && trace.flows.isEmpty && trace.threadStates.isEmpty
      && stageFrames.isEmpty && tasks.isEmpty
  }

  /// The rows of the tasks that the loop's threads ran when frames began: they are the loop's too.
  func rowsOfTasks(runningAt frames: [Trace.Frame]) -> [Int] {
    guard !tasks.isEmpty else { return [] }
    var found = Set<Int>()
    for frame in frames {
      if let task = tasks.task(on: frame.track, at: frame.begin).task { found.insert(task) }
    }
    return found.flatMap { tasks.tasks[$0].rows }
  }

  /// Whether a span may be a wait. O(1).
  func mayWait(_ span: Int) -> Bool { waitsAt[Int(trace.spans.site[span].index)] }

  /// What a span waited for, nil if it is no wait. O(log waits).
  func wait(of span: Int) -> Trace.Wait? {
    let waits = trace.waits
    let place = waits.partitionPoint { $0.span < span }
    guard place < waits.count, waits[place].span == span else { return nil }
    return waits[place]
  }

  /// Who ended a wait, nil if that is not known.
  func hop(of wait: Trace.Wait, on row: Int) -> Hop? {
    let end = wait.endedAt ?? trace.spans.end[wait.span]
    let link = CriticalLink(wait.kind)
    if let id = wait.endedByTask, let task = tasks.find(id) {
      return Hop(target: .task(task), link: link, end: end)
    }
    guard let ender = wait.endedByTrack, ender != row else { return nil }
    return Hop(target: .row(ender), link: link, end: end)
  }

  func hasStates(_ row: Int) -> Bool { !states[row].isEmpty }

  /// The states of a row that lie in a range, at least in part. O(log states).
  func states(of row: Int, in range: Range<Int64>) -> ArraySlice<Trace.ThreadState> {
    let all = trace.threadStates[states[row]]
    let first = all.partitionPoint { $0.range.upperBound <= range.lowerBound }
    let next = all[first...].partitionPoint { $0.range.lowerBound < range.upperBound }
    return trace.threadStates[first..<next]
  }

  /// Who asked for the span that begins on a row at a time, before which the row was idle.
  ///
  /// Of several askers the last one counts: all of them had to be there. O(log hops).
  func idleHop(on row: Int, at start: Int64) -> IdleHop? {
    guard !idleHops[row].isEmpty else { return nil }
    let hops = idleHops[row]
    let next = hops.partitionPoint { $0.start <= start }
    guard next > 0, hops[next - 1].start == start else { return nil }
    return hops[next - 1]
  }

  func hasStages(_ row: Int) -> Bool { stageRows[row] }

  /// The frame of which a span, or one around it, is a stage; nil if none is. O(depth), at most 64.
  func frame(ofStage span: Int) -> Int? {
    var span = UInt32(truncatingIfNeeded: span)
    for _ in 0..<64 where span != Trace.Spans.none {
      if let frame = stageFrames[Int(span)] { return frame }
      span = trace.spans.parent[Int(span)]
    }
    return nil
  }
}

extension CriticalLink {
  init(_ kind: Trace.Wait.Kind) {
    switch kind {
    case .other: self = .wait
    case .lock: self = .lock
    case .condition: self = .condition
    case .semaphore: self = .semaphore
    case .queue: self = .queue
    case .await: self = .await
    }
  }
}

extension RowLinks {
  /// Notes which spans are stages, and gives them by frame and time.
  private mutating func ownStages(_ series: Trace.FrameSeries) -> [Stage] {
    guard !trace.stages.isEmpty,
      let number = trace.frameSeries.firstIndex(where: { $0.name == series.name })
    else { return [] }
    var found: [Stage] = []
    var row = 0
    for stage in trace.stages where stage.series == number {
      while row < trace.tracks.count, trace.tracks[row].spans.upperBound <= stage.span { row += 1 }
      guard row < trace.tracks.count else { break }
      stageRows[row] = true
      stageFrames[stage.span] = stage.frame
      found.append(Stage(span: stage.span, row: row, frame: stage.frame))
    }
    let starts = trace.spans.start
    found.sort { ($0.frame, starts[$0.span], $0.span) < ($1.frame, starts[$1.span], $1.span) }
    return found
  }

  /// A stage waits for the one before it that ended last, else for the loop's part of the frame.
  private mutating func addStageHops(_ stages: [Stage], _ series: Trace.FrameSeries) {
    var first = 0
    while first < stages.count {
      var next = first + 1
      while next < stages.count, stages[next].frame == stages[first].frame { next += 1 }
      addStageHops(ofFrame: series.frames[stages[first].frame], stages[first..<next])
      first = next
    }
  }

  private mutating func addStageHops(ofFrame frame: Trace.Frame, _ stages: ArraySlice<Stage>) {
    // Of the stages before one, that which ended last, and the loop's part of the frame.
    var before: (row: Int, end: Int64)?
    if let end = frame.end { before = (frame.track, end) }
    for stage in stages {
      let start = trace.spans.start[stage.span]
      if stage.row != frame.track {
        let known = lastStages[frame.number].map { trace.spans.end[$0.span] } ?? .min
        if trace.spans.end[stage.span] > known { lastStages[frame.number] = stage }
        // A stage that began before the loop was done goes beside it.
        let end = before.map { $0.end <= start ? $0.end : start } ?? start
        let row = before?.row ?? frame.track
        if row != stage.row, trace.spans.parent[stage.span] == Trace.Spans.none {
          idleHops[stage.row].append(
            IdleHop(
              span: stage.span, start: start,
              hop: Hop(target: .row(row), link: .stage, end: end)))
        }
      }
      let end = trace.spans.end[stage.span]
      if before.map({ $0.end < end }) ?? true { before = (stage.row, end) }
    }
  }

  /// The outermost span at the end of a link waits for where it begins.
  private mutating func addFlowHops() {
    for flow in trace.flows {
      guard let begin = flow.begin else { continue }
      for end in flow.ends where begin.time <= end.time && begin.track != end.track {
        guard let span = outermostSpan(on: end.track, at: end.time),
          trace.spans.start[span] >= begin.time
        else { continue }
        let target: Hop.Target =
          begin.task.flatMap { tasks.find($0) }.map { .task($0) } ?? .row(begin.track)
        idleHops[end.track].append(
          IdleHop(
            span: span, start: trace.spans.start[span],
            hop: Hop(target: target, link: .flow, end: begin.time)))
      }
    }
  }

  /// The span at the top of a row that is open at a time, or begins right then. O(log spans + depth).
  private func outermostSpan(on row: Int, at time: Int64) -> Int? {
    let spans = trace.tracks[row].spans
    let starts = trace.spans.start
    let next = spans.partitionPoint { starts[$0] <= time }
    guard next > spans.lowerBound else { return nil }
    var span = next - 1
    while trace.spans.parent[span] != Trace.Spans.none { span = Int(trace.spans.parent[span]) }
    return trace.spans.end[span] >= time ? span : nil
  }
}
