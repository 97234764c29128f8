/// The rows of Swift tasks, and what was seen of where they ran.
struct TaskRows {
  private var tasks: [UInt64] = []
  private(set) var groups: [TrackWriter.LooseGroup] = []
  /// Which of the collected spans each group has.
  private var members: [[Int]] = []

  /// A group for each task that has spans, in the order of their first beginnings.
  init(_ events: RecordedEvents, end: Int64, name: (UInt32) -> String) {
    var numbers: [UInt64: Int] = [:]
    let open = Set(events.openTaskSpans)
    let order = events.taskSpans.indices.sorted {
      (events.taskSpans[$0].start, $0) < (events.taskSpans[$1].start, $1)
    }
    for index in order {
      let span = events.taskSpans[index]
      let known = numbers[span.task]
      let number = known ?? groups.count
      if known == nil {
        numbers[span.task] = number
        tasks.append(span.task)
        groups.append(TrackWriter.LooseGroup(kind: .task, name: "", spans: []))
        members.append([])
      }
      members[number].append(index)
    }
    for number in groups.indices {
      // In the order in which they ended: of two at one time the later is around the other.
      members[number].sort()
      groups[number].spans = members[number].map { index in
        let span = events.taskSpans[index]
        return LooseRows.Span(
          start: span.start, end: open.contains(index) ? max(span.start, end) : span.end,
          site: span.site)
      }
      let outermost = groups[number].spans.min {
        ($0.start, $1.end) < ($1.start, $0.end)
      }
      groups[number].name = Self.name(tasks[number], outermost.map { name($0.site) } ?? "")
    }
  }

  private static func name(_ task: UInt64, _ span: String) -> String {
    // Where the run-time can't tell, a span stands for itself.
    task >> 63 == 0 ? "task \(task), \(span)" : "a task, \(span)"
  }

  /// Tells the trace of tasks, now that their rows are there. `places` are those of the groups; a task
  /// whose spans don't nest has several rows.
  ///
  /// - Returns: The place of each collected span.
  func link(
    _ events: RecordedEvents, places: [[Int]], rows: [UInt32: Int], in trace: inout Trace
  ) -> [Int] {
    var placeOfSpan = Array(repeating: 0, count: events.taskSpans.count)
    for (group, members) in members.enumerated() {
      for (index, place) in zip(members, places[group]) { placeOfSpan[index] = place }
    }
    // The rows of a task stand together, and those of tasks in their order.
    let lastPlaces = places.map { $0.max() ?? -1 }
    var group = 0
    for (index, track) in trace.tracks.enumerated() where track.kind == .task {
      while group < tasks.count, lastPlaces[group] < track.spans.lowerBound { group += 1 }
      if group < tasks.count, tasks[group] >> 63 == 0 {
        trace.tasks.append(Trace.Task(id: tasks[group], track: index))
      }
    }
    let open = Set(events.openTaskSpans)
    trace.taskSpans = events.taskSpans.enumerated().map { index, span in
      Trace.TaskSpan(
        span: placeOfSpan[index], begin: rows[span.beginKey],
        end: open.contains(index) ? nil : rows[span.endKey])
    }
    .sorted { $0.span < $1.span }
    trace.spans.unfinished += open.map { placeOfSpan[$0] }.sorted()
    trace.taskChanges = events.taskChanges.compactMap { change in
      rows[change.threadKey].map { row in
        Trace.TaskChange(
          time: change.time, track: row, task: change.task == 0 ? nil : change.task)
      }
    }
    .sorted { ($0.track, $0.time) < ($1.track, $1.time) }
    return placeOfSpan
  }
}
