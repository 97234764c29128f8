internal import FlamelarkFormat

/// Puts what says more of spans into a trace whose spans are there: waits, stages, values, links.
struct LinkCollector {
  let sites: SiteTable
  /// From the recorder's key of a thread to its row.
  let rows: [UInt32: Int]
  /// What the times of the spans begin at.
  let zero: Int64
  /// Where the collected spans around `await` are.
  let taskSpanPlaces: [Int]
  private(set) var issues: [Trace.Issue] = []

  init(sites: SiteTable, rows: [UInt32: Int], zero: Int64, taskSpanPlaces: [Int]) {
    self.sites = sites
    self.rows = rows
    self.zero = zero
    self.taskSpanPlaces = taskSpanPlaces
  }

  /// Adds all. `frames` knows where frames have gone.
  mutating func collect(
    _ events: RecordedEvents, frames: FrameCollector, into trace: inout Trace
  ) {
    addWaits(events, to: &trace)
    addStages(events, frames: frames, to: &trace)
    addValues(events, to: &trace)
    addFlows(events, to: &trace)
  }

  private mutating func addWaits(_ events: RecordedEvents, to trace: inout Trace) {
    var lost = 0
    for wait in events.waits {
      guard let span = span(at: wait.place, in: trace) else {
        lost += 1
        continue
      }
      var result = Trace.Wait(
        span: span, kind: Trace.Wait.Kind(wait.kind), resource: wait.resource)
      result.endedByTrack = rows[wait.enderKey]
      result.endedByTask = wait.enderTask == 0 ? nil : wait.enderTask
      result.endedAt = wait.endedAt?.plausibleTime
      trace.waits.append(result)
    }
    trace.waits.sort { $0.span < $1.span }
    let count = trace.waits.count
    var last: Int?
    trace.waits.removeAll { wait in
      defer { last = wait.span }
      return wait.span == last
    }
    lost += count - trace.waits.count
    add(lost, "waits whose span is missing")
  }

  private mutating func addStages(
    _ events: RecordedEvents, frames: FrameCollector, to trace: inout Trace
  ) {
    var lost = 0
    for stage in events.stages {
      guard let span = span(at: stage.place, in: trace),
        let frame = frames.place(ofFrame: stage.number, series: stage.series)
      else {
        lost += 1
        continue
      }
      trace.stages.append(Trace.Stage(span: span, series: frame.series, frame: frame.number))
    }
    trace.stages.sort { $0.span < $1.span }
    add(lost, "stages whose frame or span is missing")
  }

  private mutating func addValues(_ events: RecordedEvents, to trace: inout Trace) {
    var lost = 0
    var found: [(span: Int, time: Int64, value: Trace.SpanValue)] = []
    let tasks = taskRows(of: trace)
    for value in events.values {
      let name = trace.callSites[Int(sites[value.site].index)].name
      let tracks =
        value.task == 0 ? rows[value.threadKey].map { [$0] } ?? [] : tasks[value.task] ?? []
      var span: Int?
      for track in tracks where span == nil {
        span = trace.innermostSpan(
          of: track, at: value.time - zero, depth: value.task == 0 ? Int(value.depth) : nil)
      }
      guard let span else {
        lost += 1
        continue
      }
      found.append((span, value.time, Trace.SpanValue(span: span, name: name, value: value.value)))
    }
    trace.values = found.sorted { ($0.span, $0.time) < ($1.span, $1.time) }.map(\.value)
    add(lost, "values of spans that are missing or were left out")
  }

  private func taskRows(of trace: Trace) -> [UInt64: [Int]] {
    Dictionary(grouping: trace.tasks, by: \.id).mapValues { $0.map(\.track) }
  }

  private mutating func addFlows(_ events: RecordedEvents, to trace: inout Trace) {
    let ends = events.flowEnds.sorted { $0.time < $1.time }
    var places: [UInt64: Int] = [:]
    var lost = 0
    for end in ends {
      guard let row = rows[end.threadKey] else {
        lost += 1
        continue
      }
      let place = places[end.number] ?? trace.flows.count
      if place == trace.flows.count {
        places[end.number] = place
        trace.flows.append(Trace.Flow(number: end.number, begin: nil))
      }
      let point = Trace.Flow.Point(
        time: end.time, track: row, task: end.task == 0 ? nil : end.task, site: sites[end.site])
      if end.isBegin, trace.flows[place].begin == nil {
        trace.flows[place].begin = point
      } else {
        trace.flows[place].ends.append(point)
      }
    }
    add(lost, "ends of links on threads that are missing")
  }

  private mutating func add(_ count: Int, _ text: String) {
    if count > 0 { issues.append(Trace.Issue(text, count: count)) }
  }

  /// Which span is meant, nil: it is not there.
  private func span(at place: RecordedEvents.SpanPlace, in trace: Trace) -> Int? {
    if let index = place.taskSpan { return taskSpanPlaces[index] }
    guard let row = rows[place.threadKey] else { return nil }
    let spans = trace.tracks[row].spans
    let start = place.start - zero
    var span = trace.spans.firstSpan(in: spans, from: start)
    // What starts together is nested, at most 255 deep. In a damaged trace it may be more.
    let limit = span + 512
    while spans.contains(span), span < limit, trace.spans.start[span] == start {
      if trace.spans.site[span] == sites[place.site], trace.spans.end[span] == place.end - zero {
        return span
      }
      span += 1
    }
    return nil
  }
}

extension Trace.Spans {
  /// The first span of a row that begins at a time or later. O(log spans).
  func firstSpan(in row: Range<Int>, from time: Int64) -> Int {
    start[row].partitionPoint { $0 < time }
  }
}

extension Trace {
  /// The innermost span of a row that is open at a time, and, where that is said, has `depth - 1` others
  /// around it. nil: there is none, or it is over 512 others out.
  func innermostSpan(of track: Int, at time: Int64, depth: Int?) -> Int? {
    let row = tracks[track].spans
    var span = spans.firstSpan(in: row, from: time + 1) - 1
    guard row.contains(span) else { return nil }
    // No program nests as deep as a file may say.
    var steps = 0
    while spans.end[span] < time {
      guard spans.parent[span] != Spans.none, steps < 512 else { return nil }
      span = Int(spans.parent[span])
      steps += 1
    }
    guard let depth else { return span }
    var excess = self.depth(ofSpan: span) + 1 - depth
    while excess > 0, spans.parent[span] != Spans.none {
      span = Int(spans.parent[span])
      excess -= 1
    }
    return excess == 0 ? span : nil
  }
}
