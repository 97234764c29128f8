internal import FlamelarkFormat

/// What the records of all threads say beside their nested spans, with times on CLOCK_MONOTONIC.
struct RecordedEvents {
  struct DetachedSpan {
    var start: Int64
    var end: Int64
    var site: UInt32
    /// The thread whose stack it left.
    var threadKey: UInt32
  }

  struct OpenSpan {
    var start: UInt64
    var site: UInt32
    var depth: UInt8
    /// When its thread ended or the recording was stopped, 0: not known.
    var end: UInt64
  }

  struct Moment {
    var time: Int64
    var site: UInt32
    var threadKey: UInt32
    var value: Int64 = 0
  }

  struct FrameEvent {
    var record: FrameRecord
    /// The beginning on the clock of the spans.
    var begin: Int64
    var threadKey: UInt32
  }

  struct ActivityEdge {
    var time: Int64
    var number: UInt64
    var site: UInt32
    var series: UInt32
  }

  /// A span on the row of its task.
  struct TaskSpan {
    var start: Int64
    var end: Int64
    var site: UInt32
    var task: UInt64
    /// Keys of the threads on which it began and ended, 0: not known, or not ended.
    var beginKey: UInt32
    var endKey: UInt32
  }

  /// Such a span that had not ended, as definitions and slots of a live file have it.
  struct OpenTaskSpan: Hashable {
    var start: UInt64
    var task: UInt64
    var site: UInt32
  }

  /// What says more of a span: where that is.
  struct SpanPlace {
    var start: Int64
    var end: Int64
    var site: UInt32
    var threadKey: UInt32
    /// Which of `taskSpans` it is, nil: it is on the thread's stack.
    var taskSpan: Int?
  }

  struct TaskChange {
    var time: Int64
    var threadKey: UInt32
    var task: UInt64
  }

  struct Wait {
    var place: SpanPlace
    var kind: UInt16
    var resource: UInt64
    var enderKey: UInt32
    var enderTask: UInt64
    /// CLOCK_MONOTONIC, nil: not known.
    var endedAt: Int64?
  }

  struct Stage {
    var place: SpanPlace
    var series: UInt32
    var number: Int64
  }

  struct FlowEnd {
    var time: Int64
    var number: UInt64
    var site: UInt32
    var threadKey: UInt32
    var task: UInt64
    var isBegin: Bool
  }

  struct Value {
    var time: Int64
    var site: UInt32
    var threadKey: UInt32
    var depth: UInt8
    var task: UInt64
    var value: Int64
  }

  /// A span of another clock: its times are that clock's.
  struct TrackSpan {
    var from: Int64
    var to: Int64
    var site: UInt32
    /// The call site that names its track.
    var track: UInt32
    /// 0: times are CLOCK_MONOTONIC.
    var ticksPerSecond: UInt64
  }

  struct TrackRelation {
    var track: UInt32
    var time: Int64
    var monotonic: Int64
    var ticksPerSecond: UInt64
  }

  struct SeriesEvent {
    var series: UInt32
    var number: Int64
    var time: Int64
    var change: SeriesChange
  }

  /// A time in which a thread had no processor.
  struct ThreadState {
    var start: Int64
    var end: Int64
    var kind: ThreadStateKind
    var threadKey: UInt32
    /// Who woke it, 0: not known.
    var wakerKey: UInt32
    /// CLOCK_MONOTONIC, nil: not known.
    var wokenAt: Int64?
  }

  typealias FactAboutFrame = (series: UInt32, number: Int64, fact: FrameFact, value: Int64)
  typealias Hitch = (series: UInt32, number: Int64, lateness: Int64, rule: UInt16)
  typealias MarkedHitch = (series: UInt32, number: Int64, time: Int64, site: UInt32)

  var detached: [DetachedSpan] = []
  var open: [UInt32: [OpenSpan]] = [:]
  /// What slots of the live file hold; what was written stands among the spans of its thread.
  var folds: [UInt32: [FoldRecord]] = [:]
  var markers: [Moment] = []
  var counters: [Moment] = []
  var frames: [FrameEvent] = []
  var frameFacts: [FactAboutFrame] = []
  var hitches: [Hitch] = []
  var markedHitches: [MarkedHitch] = []
  var activityBegins: [ActivityEdge] = []
  var activityEnds: [UInt64: Int64] = [:]
  var taskSpans: [TaskSpan] = []
  /// Those of them that had not ended: their ends are not known so far.
  var openTaskSpans: [Int] = []
  var taskChanges: [TaskChange] = []
  var waits: [Wait] = []
  var stages: [Stage] = []
  var flowEnds: [FlowEnd] = []
  var values: [Value] = []
  var trackSpans: [TrackSpan] = []
  var trackRelations: [TrackRelation] = []
  var seriesEvents: [SeriesEvent] = []
  var threadStates: [ThreadState] = []
  /// Records of kinds that this version doesn't know.
  var unknown = 0
  /// The latest tick.
  private(set) var lastTick: UInt64 = 0

  /// Takes one extended record that is no sum. Of a span on its thread's stack only the end counts:
  /// it stands among others.
  mutating func add(
    _ record: EventCursor, of chunk: borrowing Chunk, tick: UInt64, map: (UInt64) -> Int64
  ) {
    let kind = record.kind
    if kind?.hasDuration == true {
      lastTick = max(lastTick, tick &+ record.word(2))
    } else {
      lastTick = max(lastTick, tick)
    }
    let key = chunk.threadKey
    let time = map(tick)
    switch kind {
    case .longSpan:
      guard record.word(3) != 0 else { return }
      detached.append(
        DetachedSpan(
          start: time, end: max(time, map(tick &+ record.word(2))), site: record.identifier,
          threadKey: UInt32(truncatingIfNeeded: record.word(3))))
    case .openSpan:
      open[key, default: []].append(
        OpenSpan(
          start: tick, site: record.identifier,
          depth: UInt8(truncatingIfNeeded: record.word0), end: chunk.lastTick))
    case .counter:
      counters.append(
        Moment(
          time: time, site: record.identifier, threadKey: key,
          value: Int64(bitPattern: record.word(2))))
    case .marker:
      markers.append(Moment(time: time, site: record.identifier, threadKey: key))
    case .frame:
      if let frame = unsafe FrameRecord(series: record.identifier, decoding: record.record) {
        frames.append(FrameEvent(record: frame, begin: time, threadKey: key))
      }
    case .frameFact:
      if let fact = FrameFact(rawValue: record.detail) {
        frameFacts.append(
          (
            record.identifier, Int64(bitPattern: record.word(2)), fact,
            Int64(bitPattern: record.word(3))
          ))
      }
    case .hitch:
      hitches.append(
        (
          record.identifier, Int64(bitPattern: record.word(2)),
          Int64(bitPattern: record.word(3)), record.detail
        ))
    case .markedHitch:
      markedHitches.append(
        (
          record.identifier, Int64(bitPattern: record.word(2)), time,
          UInt32(truncatingIfNeeded: record.word(3))
        ))
    case .activityBegin:
      activityBegins.append(
        ActivityEdge(
          time: time, number: record.word(2), site: record.identifier,
          series: UInt32(truncatingIfNeeded: record.word(3))))
    case .activityEnd:
      activityEnds[record.word(2)] = time
    case .folded, .overDepth:
      return
    case .task:
      taskChanges.append(TaskChange(time: time, threadKey: key, task: record.word(2)))
    case .taskSpan:
      addTaskSpan(
        record, task: record.word(3), beginKey: UInt32(record.detail), endKey: key,
        from: time, to: map(tick &+ record.word(2)))
    case .wait:
      let place = place(of: record, key: key, from: time, to: map(tick &+ record.word(2)))
      let endedAt = record.word(7)
      waits.append(
        Wait(
          place: place, kind: record.detail, resource: record.word(4),
          enderKey: UInt32(truncatingIfNeeded: record.word(5)), enderTask: record.word(6),
          endedAt: endedAt == 0 ? nil : map(endedAt)))
    case .stage:
      let place = place(of: record, key: key, from: time, to: map(tick &+ record.word(2)))
      stages.append(
        Stage(
          place: place, series: UInt32(truncatingIfNeeded: record.word(4)),
          number: Int64(bitPattern: record.word(5))))
    case .flow:
      flowEnds.append(
        FlowEnd(
          time: time, number: record.word(2), site: record.identifier, threadKey: key,
          task: record.word(3), isBegin: record.detail == 0))
    case .value:
      values.append(
        Value(
          time: time, site: record.identifier, threadKey: key,
          depth: UInt8(truncatingIfNeeded: record.word0), task: record.word(3),
          value: Int64(bitPattern: record.word(2))))
    case .trackSpan:
      trackSpans.append(
        TrackSpan(
          from: Int64(bitPattern: record.word(3)), to: Int64(bitPattern: record.word(4)),
          site: record.identifier, track: UInt32(truncatingIfNeeded: record.word(2)),
          ticksPerSecond: record.word(5)))
    case .trackRelation:
      trackRelations.append(
        TrackRelation(
          track: UInt32(truncatingIfNeeded: record.word(2)),
          time: Int64(bitPattern: record.word(3)), monotonic: Int64(bitPattern: record.word(4)),
          ticksPerSecond: record.word(5)))
    case .seriesChange:
      guard let change = SeriesChange(rawValue: record.detail) else {
        unknown += 1
        return
      }
      seriesEvents.append(
        SeriesEvent(
          series: record.identifier, number: Int64(bitPattern: record.word(2)),
          time: Int64(bitPattern: record.word(3)), change: change))
    case .threadState:
      guard let kind = ThreadStateKind(rawValue: record.detail) else {
        unknown += 1
        return
      }
      let wokenAt = record.word(3)
      let start = time.plausibleTime
      threadStates.append(
        ThreadState(
          start: start, end: max(start, map(tick &+ record.word(2)).plausibleTime), kind: kind,
          threadKey: key, wakerKey: UInt32(truncatingIfNeeded: record.word(4)),
          wokenAt: wokenAt == 0 ? nil : map(wokenAt).plausibleTime))
    case nil:
      unknown += 1
    }
  }

  /// Takes in spans around `await` that had not ended. One that is among those that had, had: its
  /// program was killed between the two.
  mutating func add(open spans: [OpenTaskSpan], map: (UInt64) -> Int64) {
    guard !spans.isEmpty else { return }
    let ended = Set(taskSpans.map { TaskSpanKey(start: $0.start, task: $0.task, site: $0.site) })
    for span in spans {
      let start = map(span.start)
      lastTick = max(lastTick, span.start)
      guard !ended.contains(TaskSpanKey(start: start, task: span.task, site: span.site)) else {
        continue
      }
      openTaskSpans.append(taskSpans.count)
      taskSpans.append(
        TaskSpan(
          start: start, end: start, site: span.site, task: span.task, beginKey: 0, endKey: 0))
    }
  }

  private struct TaskSpanKey: Hashable {
    var start: Int64
    var task: UInt64
    var site: UInt32
  }

  private mutating func addTaskSpan(
    _ record: EventCursor, task: UInt64, beginKey: UInt32, endKey: UInt32, from: Int64, to: Int64
  ) {
    taskSpans.append(
      TaskSpan(
        start: from, end: max(from, to), site: record.identifier, task: task, beginKey: beginKey,
        endKey: endKey))
  }

  /// Where a span is whose fourth word says that; takes it in if it is on the row of its task.
  private mutating func place(
    of record: EventCursor, key: UInt32, from: Int64, to: Int64
  ) -> SpanPlace {
    let task = record.word(3)
    if task != 0 {
      addTaskSpan(record, task: task, beginKey: 0, endKey: key, from: from, to: to)
    }
    return SpanPlace(
      start: from, end: max(from, to), site: record.identifier, threadKey: key,
      taskSpan: task == 0 ? nil : taskSpans.count - 1)
  }

  /// A time that nothing here is likely to begin before.
  var earliest: Int64 {
    var first = Int64.max
    for span in detached { first = min(first, span.start) }
    for span in taskSpans { first = min(first, span.start) }
    for flow in flowEnds { first = min(first, flow.time) }
    for state in threadStates { first = min(first, state.start) }
    for moment in markers { first = min(first, moment.time) }
    for moment in counters { first = min(first, moment.time) }
    for edge in activityBegins { first = min(first, edge.time) }
    for frame in frames {
      first = min(first, frame.begin)
      for time in [frame.record.timestamp, frame.record.begin] where time != FrameRecord.unset {
        first = min(first, time.plausibleTime)
      }
    }
    return first
  }
}
