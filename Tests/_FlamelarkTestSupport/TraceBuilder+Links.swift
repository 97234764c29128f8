public import FlamelarkTrace

extension TraceBuilder {
  /// The span that was begun last: its index.
  public var lastSpan: Int { trace.spans.count - 1 }

  /// Begins the row of a task. nil: the run-time couldn't tell which.
  public mutating func task(_ name: String, id: UInt64?) {
    track(name, kind: .task)
    trace.tracks[trace.tracks.count - 1].threadID = 0
    if let id { trace.tasks.append(Trace.Task(id: id, track: trace.tracks.count - 1)) }
  }

  /// Says on which threads the last span, one around `await`, began and ended.
  public mutating func hop(from begin: Int?, to end: Int?) {
    trace.taskSpans.append(Trace.TaskSpan(span: lastSpan, begin: begin, end: end))
    Self.sortBySpan(&trace.taskSpans, \.span)
  }

  /// Says that the last span waited.
  public mutating func wait(
    _ kind: Trace.Wait.Kind, resource: UInt64 = 0, endedBy track: Int? = nil, at time: Int64? = nil
  ) {
    var wait = Trace.Wait(span: lastSpan, kind: kind, resource: resource)
    wait.endedByTrack = track
    wait.endedAt = time
    trace.waits.append(wait)
    Self.sortBySpan(&trace.waits, \.span)
  }

  /// A link from one place, if it is known, to others: times and rows.
  public mutating func flow(
    _ name: String, from begin: (time: Int64, track: Int)?, to ends: [(time: Int64, track: Int)]
  ) {
    func point(_ place: (time: Int64, track: Int), _ site: CallSiteID) -> Trace.Flow.Point {
      Trace.Flow.Point(time: place.time, track: place.track, site: site)
    }
    let site = site(name, file: nil, line: 0)
    trace.flows.append(
      Trace.Flow(
        number: UInt64(trace.flows.count + 1), begin: begin.map { point($0, site) },
        ends: ends.map { point($0, site) }))
  }

  /// Gives the last span a value.
  public mutating func value(_ name: String, _ value: Int64) {
    trace.values.append(
      Trace.SpanValue(span: lastSpan, name: trace.names.intern(name), value: value))
    Self.sortBySpan(&trace.values, \.span)
  }

  /// Says that the last span is a stage of a frame.
  public mutating func stage(ofFrame frame: Int, series: Int = 0) {
    trace.stages.append(Trace.Stage(span: lastSpan, series: series, frame: frame))
    Self.sortBySpan(&trace.stages, \.span)
  }

  /// Says what the spans of a name belong to.
  public mutating func category(_ category: String, ofSpans name: String) {
    for index in trace.callSites.indices where trace.names[trace.callSites[index].name] == name {
      trace.callSites[index].category = trace.names.intern(category)
    }
  }

  /// Puts the last element where it belongs. Nearly always it is there: sorting each time would take
  /// the square of their number.
  private static func sortBySpan<Element>(_ list: inout [Element], _ span: (Element) -> Int) {
    var place = list.count - 1
    while place > 0, span(list[place - 1]) > span(list[place]) {
      list.swapAt(place - 1, place)
      place -= 1
    }
  }
}
