internal import FlamelarkFormat
internal import FlamelarkTrace

/// Goes through the frames of a series and says how late each was: an end against a target, or, where
/// it is known, when a frame was shown against when it should have been.
///
/// A frame ends where the next begins; a frame that is a span ends with its span; one behind which no
/// frame was wanted ends by itself.
struct FrameJudge {
  let series: Trace.FrameSeries
  private let spans: Trace.Spans
  /// The interval that was asked for, nil if none was.
  private let refresh: Int64?
  /// The interval of the frame before.
  private(set) var previousInterval: Int64?
  /// The median time from one frame to the next, once somebody asked for it.
  private var medianInterval: Int64??
  /// The first rest behind each frame that has one.
  private let rests: [Int: Trace.Rest]

  /// When the last stage of each frame ended that has one.
  let stageEnds: [Int: Int64]

  init(series: Trace.FrameSeries, in trace: Trace, refresh: Int64?) {
    self.series = series
    spans = trace.spans
    stageEnds = series.mode == .presented ? trace.stageEnds(of: series) : [:]
    self.refresh = refresh.flatMap { $0 > 0 ? $0 : nil }
    rests = series.restsByFrame()
  }

  mutating func judgeAll() -> [JudgedFrames.Frame] {
    if series.mode == .presented { return judgeShown() }
    let frames = series.frames
    return frames.indices.map { index in
      let frame = frames[index]
      var next = index + 1 < frames.count ? frames[index + 1] : nil
      // Nothing after a break, or after a clock that went backwards, says when this one ended.
      if let after = next, after.breaks(from: frame) { next = nil }
      return judge(frame, next: next)
    }
  }

  private mutating func judge(_ frame: Trace.Frame, next: Trace.Frame?) -> JudgedFrames.Frame {
    let due = nextDue(frame)
    guard frame.isPlausible, next?.isPlausible ?? true else {
      return verdict(
        frame, window: frame.timestamp..<frame.timestamp, due: due, isCountable: false)
    }
    if let span = frame.span, span >= 0, span < spans.count {
      return judge(frame, span: span, due: due, next: next)
    }
    let start = start(of: frame)
    if frame.isRequested != false, let rest = rests[frame.number] {
      return judge(frame, until: rest, due: due)
    }
    guard let next else {
      let end = max(start, frame.end ?? start)
      return verdict(frame, window: start..<end, due: due, isCountable: false)
    }
    let end = self.start(of: next)
    let window = start..<max(start, end)
    let elapsed = next.timestamp.minus(frame.timestamp)
    if rests(frame, until: next, interval: due.interval) {
      return verdict(frame, window: window, due: due, isIdle: true, idleTime: elapsed)
    }
    let lateness = Lateness.lateness(
      end: next.timestamp, target: due.target, interval: due.interval)
    return verdict(frame, window: window, due: due, lateness: lateness, activeTime: elapsed)
  }

  /// When a frame's time begins.
  func start(of frame: Trace.Frame) -> Int64 {
    switch series.mode {
    case .marks, .spans: frame.begin
    case .displayLink, .presented: frame.timestamp
    }
  }

  /// A frame behind which no other was wanted: it is late by its own end.
  private func judge(
    _ frame: Trace.Frame, until rest: Trace.Rest, due: Due
  ) -> JudgedFrames.Frame {
    let next = frame.number + 1 < series.frames.count ? series.frames[frame.number + 1] : nil
    var end = rest.range.lowerBound
    if series.mode != .marks, let own = frame.end, own <= next?.begin ?? .max { end = own }
    let activeEnd = Lateness.activeEnd(
      end: end, target: due.target, isMarked: series.mode == .marks)
    let start = start(of: frame)
    return verdict(
      frame, window: start..<max(start, end), due: due,
      lateness: Lateness.lateness(end: end, target: due.target, interval: due.interval),
      activeTime: max(0, activeEnd.minus(frame.timestamp)),
      idleTime: max(0, (next?.timestamp ?? rest.range.upperBound).minus(activeEnd)))
  }

  /// A frame that is a span. The time from its end to the next one is in nobody's window, but it is
  /// active time unless the program rested.
  private func judge(
    _ frame: Trace.Frame, span: Int, due: Due, next: Trace.Frame?
  ) -> JudgedFrames.Frame {
    let window = spans.start[span]..<max(spans.start[span], spans.end[span])
    if spans.isUnfinished(span) {
      return verdict(frame, window: window, due: due, isCountable: false)
    }
    let elapsed = max(
      window.duration, (next?.timestamp ?? window.upperBound).minus(frame.timestamp))
    if frame.isRequested == false {
      return verdict(frame, window: window, due: due, isIdle: true, idleTime: elapsed)
    }
    let gap = elapsed.minus(window.duration)
    let rests = Lateness.isIdle(elapsed: elapsed, waiting: gap, interval: due.interval)
    let lateness = Lateness.lateness(
      end: window.upperBound, target: due.target, interval: due.interval)
    return verdict(
      frame, window: window, due: due, lateness: lateness,
      activeTime: rests ? window.duration : elapsed, idleTime: rests ? gap : 0)
  }

  func verdict(
    _ frame: Trace.Frame, window: Range<Int64>, due: Due, lateness: Int64 = 0,
    isCountable: Bool = true, isIdle: Bool = false, activeTime: Int64 = 0, idleTime: Int64 = 0
  ) -> JudgedFrames.Frame {
    JudgedFrames.Frame(
      number: frame.number, window: window, target: due.target, interval: due.interval,
      lateness: lateness, targetIsEstimated: due.isEstimated, isIdle: isIdle,
      isCountable: isCountable, activeTime: activeTime, idleTime: idleTime, budget: due.interval,
      slot: due.interval)
  }

  /// Whether the program said, behind a frame, that it wants no other.
  func hasRest(behind frame: Trace.Frame) -> Bool { rests[frame.number] != nil }

  /// What the program said stands first. A guess is made only where its waiting is known, from
  /// `end()` to the next frame: a gap between two marks may be the hitch that is looked for.
  func rests(_ frame: Trace.Frame, until next: Trace.Frame, interval: Int64) -> Bool {
    if let isRequested = frame.isRequested { return !isRequested }
    guard series.mode == .displayLink || series.mode == .presented, let end = frame.end else {
      return false
    }
    let elapsed = next.timestamp.minus(frame.timestamp)
    let waiting = next.begin.minus(end)
    return Lateness.isIdle(elapsed: elapsed, waiting: waiting, interval: interval)
  }
}

extension FrameJudge {
  typealias Due = (target: Int64, interval: Int64, isEstimated: Bool)

  /// When the next frame is due. Asked once for each, in their order.
  mutating func nextDue(_ frame: Trace.Frame) -> Due {
    let due = due(frame)
    previousInterval = due.interval
    return due
  }

  private mutating func due(_ frame: Trace.Frame) -> Due {
    switch series.mode {
    case .displayLink, .presented:
      // A made target gives way to an interval that the user knows.
      let given = refresh != nil && frame.targetIsEstimated ? nil : frame.target
      var due = Lateness.resolve(
        timestamp: frame.timestamp, target: given, previousInterval: refresh ?? previousInterval,
        usual: usualInterval(unless: given))
      due.isEstimated = due.isEstimated || frame.targetIsEstimated
      return due
    case .marks, .spans:
      if let refresh { return (frame.timestamp.plus(refresh), refresh, false) }
      if let target = frame.target, target > frame.timestamp {
        return (target, target.minus(frame.timestamp), frame.targetIsEstimated)
      }
      if let refresh = series.refresh, refresh > 0 {
        return (frame.timestamp.plus(refresh), refresh, false)
      }
      return Lateness.resolve(
        timestamp: frame.timestamp, target: nil, previousInterval: previousInterval,
        usual: usualInterval(unless: nil))
    }
  }

  /// The series' own interval, else the median time from one frame to the next. It is looked for
  /// only where it will be used.
  private mutating func usualInterval(unless target: Int64?) -> Int64? {
    if target != nil && previousInterval != nil { return nil }
    if let refresh = series.refresh, refresh > 0 { return refresh }
    if let medianInterval { return medianInterval }
    let median = series.medianInterval()
    medianInterval = .some(median)
    return median
  }
}

extension Trace {
  /// When the last stage of each frame of a series ended. O(stages).
  fileprivate func stageEnds(of series: FrameSeries) -> [Int: Int64] {
    guard let number = frameSeries.firstIndex(where: { $0.name == series.name }) else { return [:] }
    var ends: [Int: Int64] = [:]
    for stage in stages where stage.series == number && !spans.isUnfinished(stage.span) {
      ends[stage.frame] = max(ends[stage.frame] ?? .min, spans.end[stage.span])
    }
    return ends
  }
}

extension Trace.FrameSeries {
  /// Whether a frame may have to wait for earlier ones: they are begun before those were shown.
  var isPipeline: Bool { mode == .presented }

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

  /// The median time from one frame to the next, nil if there is none above 0. O(n log n).
  func medianInterval() -> Int64? {
    var intervals = zip(frames, frames.dropFirst()).compactMap { frame, next -> Int64? in
      let interval = next.timestamp.minus(frame.timestamp)
      return next.breaks(from: frame) || interval <= 0 ? nil : interval
    }
    intervals.sort()
    return intervals.isEmpty ? nil : intervals[intervals.count / 2]
  }
}

extension Trace.Frame {
  /// Whether its times can be.
  var isPlausible: Bool {
    Lateness.plausibleTimes.contains(timestamp) && Lateness.plausibleTimes.contains(begin)
  }

  /// Whether nothing can be said of the time from another frame to this one.
  fileprivate func breaks(from before: Trace.Frame) -> Bool {
    beginsSegment || begin < before.begin || timestamp < before.timestamp
  }
}

extension Trace.Spans {
  /// Whether a span had not ended when the recording did. O(log unfinished).
  func isUnfinished(_ span: Int) -> Bool {
    let index = unfinished.partitionPoint { $0 < span }
    return index < unfinished.count && unfinished[index] == span
  }
}
