internal import FlamelarkFormat

/// Puts the frames of a recording into a trace.
struct FrameCollector {
  let definitions: DefinitionTable
  let sites: SiteTable
  /// From the recorder's key of a thread to its row.
  let rows: [UInt32: Int]
  /// Where each frame has gone, by the recorder's number of its series and its own.
  private var places: [UInt32: [Int64: Int]] = [:]
  private var indices: [UInt32: Int] = [:]
  private(set) var issues: [Trace.Issue] = []

  init(definitions: DefinitionTable, sites: SiteTable, rows: [UInt32: Int]) {
    self.definitions = definitions
    self.sites = sites
    self.rows = rows
  }

  /// Adds every series that has frames.
  mutating func collect(_ events: RecordedEvents, into trace: inout Trace) -> [UInt32: Int] {
    let bySeries = Dictionary(grouping: events.frames) { $0.record.series }
    let facts = Dictionary(grouping: events.frameFacts) { $0.series }
    let hitches = Dictionary(grouping: events.hitches) { $0.series }
    let marked = Dictionary(grouping: events.markedHitches) { $0.series }
    let changes = Dictionary(grouping: events.seriesEvents) { $0.series }
    for (id, frames) in bySeries.sorted(by: { $0.key < $1.key }) {
      indices[id] = trace.frameSeries.count
      trace.frameSeries.append(
        series(
          id, frames: frames, facts: facts[id] ?? [], hitches: hitches[id] ?? [],
          marked: marked[id] ?? [], trace: trace))
      if let changes = changes[id], let series = trace.frameSeries.last {
        trace.frameSeries[trace.frameSeries.count - 1].rests =
          RestCollector(of: series, places: places[id] ?? [:]).rests(changes)
      }
    }
    return indices
  }

  /// Where a frame is in the trace, nil: it is not there.
  func place(ofFrame number: Int64, series: UInt32) -> (series: Int, number: Int)? {
    guard let index = indices[series], let place = places[series]?[number] else { return nil }
    return (index, place)
  }

  private mutating func series(
    _ id: UInt32, frames: [RecordedEvents.FrameEvent], facts: [RecordedEvents.FactAboutFrame],
    hitches: [RecordedEvents.Hitch], marked: [RecordedEvents.MarkedHitch], trace: Trace
  ) -> Trace.FrameSeries {
    let definition = definitions.series[id]
    let name = definition.flatMap { definitions.strings[$0.name] } ?? "(unknown)"
    let mode: Trace.FrameSeries.Mode = frames[0].record.mode == .marks ? .marks : .displayLink
    let refresh = definition.map(\.refresh).flatMap { $0 > 0 ? $0 : nil }
    var series = Trace.FrameSeries(name: name, mode: mode, refresh: refresh)

    // The recorder counts frames; what a damaged file lacks leaves a gap, which begins a segment.
    var places: [Int64: Int] = [:]
    var last: Int64 = -1
    var missing = 0
    for event in frames.sorted(by: { $0.record.number < $1.record.number })
    where event.record.number != last {
      var frame = frame(event, number: series.frames.count, trace: trace)
      if event.record.number != last + 1 {
        missing += Int(clamping: event.record.number - last - 1)
        frame.beginsSegment = true
      }
      if let before = series.frames.last, before.timestamp > frame.timestamp {
        frame.beginsSegment = true
      }
      last = event.record.number
      places[last] = frame.number
      series.frames.append(frame)
    }
    self.places[id] = places
    if missing > 0 {
      issues.append(Trace.Issue("frames of \(name) missing, by their numbers", count: missing))
    }

    for fact in facts {
      guard let place = places[fact.number] else { continue }
      switch fact.fact {
      case .end: series.frames[place].end = fact.value.plausibleTime
      case .presented: series.frames[place].presented = fact.value.plausibleTime
      case .discarded: series.frames[place].isDiscarded = true
      }
    }
    for place in series.frames.indices {
      if series.frames[place].presented != nil { series.frames[place].isDiscarded = false }
      if series.frames[place].presented != nil || series.frames[place].isDiscarded {
        series.mode = .presented
      }
    }
    // Where it is said when frames were shown, that is what counts: also for those before.
    let rule = series.mode == .presented ? HitchRule.shown : .ended
    for hitch in hitches where hitch.rule == rule.rawValue {
      guard let place = places[hitch.number] else { continue }
      series.markedByRecorder.append(
        Trace.RecordedHitch(frame: place, lateness: hitch.lateness))
    }
    series.markedByRecorder.sort { $0.frame < $1.frame }
    for hitch in marked {
      series.markedByProgram.append(
        Trace.MarkedHitch(
          frame: places[hitch.number] ?? 0, time: hitch.time,
          reason: trace.callSites[Int(sites[hitch.site].index)].name))
    }
    series.markedByProgram.sort { $0.time < $1.time }
    return series
  }

  private func frame(
    _ event: RecordedEvents.FrameEvent, number: Int, trace: Trace
  ) -> Trace.Frame {
    let record = event.record
    func known(_ value: Int64) -> Int64? {
      value == FrameRecord.unset ? nil : value.plausibleTime
    }
    var frame = Trace.Frame(
      number: number, timestamp: known(record.timestamp) ?? event.begin,
      track: rows[event.threadKey] ?? 0)
    frame.target = known(record.target)
    frame.interval = known(record.interval)
    // A mark divides the spans before it from those after it: on their clock, exactly. A display
    // link's times are the system clock's.
    frame.begin = record.mode == .marks ? event.begin : known(record.begin) ?? event.begin
    frame.end = known(record.end)
    frame.presented = known(record.presented)
    frame.isDiscarded = record.isDiscarded
    frame.isRequested = record.isRequested
    frame.targetIsEstimated = record.targetIsEstimated
    frame.beginsSegment = record.beginsSegment
    if record.tag != 0 { frame.tag = trace.callSites[Int(sites[record.tag].index)].name }
    return frame
  }
}
