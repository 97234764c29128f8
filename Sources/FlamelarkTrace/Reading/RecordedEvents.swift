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

  typealias FactAboutFrame = (series: UInt32, number: Int64, fact: FrameFact, value: Int64)
  typealias Hitch = (series: UInt32, number: Int64, lateness: Int64)
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
    if case .longSpan = kind {
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
        (record.identifier, Int64(bitPattern: record.word(2)), Int64(bitPattern: record.word(3))))
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
    case nil:
      unknown += 1
    }
  }
  /// A time that nothing here is likely to begin before.
  var earliest: Int64 {
    var first = Int64.max
    for span in detached { first = min(first, span.start) }
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
