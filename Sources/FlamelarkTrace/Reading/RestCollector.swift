internal import FlamelarkFormat

/// Puts together when a series wanted no frames, from where that began and ended.
struct RestCollector {
  private let series: Trace.FrameSeries
  /// Where each frame has gone, by its number in the recording.
  private let places: [Int64: Int]
  private var rests: [Trace.Rest] = []
  /// The last time that is known.
  private var last: Int64

  init(of series: Trace.FrameSeries, places: [Int64: Int]) {
    self.series = series
    self.places = places
    last = series.frames.reduce(.min) { max($0, $1.begin, $1.end ?? .min) }
  }

  /// The rests, in the order of their beginnings. O(changes · log changes).
  func rests(_ changes: [RecordedEvents.SeriesEvent]) -> [Trace.Rest] {
    var copy = self
    copy.collect(
      changes.map { change in
        var change = change
        change.time = change.time.plausibleTime
        return change
      }.sorted { ($0.time, $0.number) < ($1.time, $1.number) })
    return copy.rests
  }

  private mutating func collect(_ changes: [RecordedEvents.SeriesEvent]) {
    last = max(last, changes.last?.time ?? .min)
    var pause: Trace.Rest?
    var idle: Trace.Rest?
    for change in changes {
      if let open = pause, let next = nextBegin(after: open), next <= change.time {
        end(&pause, at: next)
      }
      switch change.change {
      case .paused: if pause == nil { pause = rest(.paused, from: change) }
      case .resumed: end(&pause, at: change.time)
      case .needsNoFrame: if idle == nil { idle = rest(.noFrameNeeded, from: change) }
      case .needsFrame: end(&idle, at: change.time)
      }
    }
    if let open = pause, let next = nextBegin(after: open) { end(&pause, at: next) }
    for var open in [pause, idle].compactMap(\.self) {
      open.range = open.range.lowerBound..<max(open.range.lowerBound, last)
      open.isUnfinished = true
      rests.append(open)
    }
    rests.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }

  private func rest(_ kind: Trace.Rest.Kind, from change: RecordedEvents.SeriesEvent) -> Trace.Rest
  {
    Trace.Rest(kind: kind, frame: places[change.number], range: change.time..<change.time)
  }

  private mutating func end(_ rest: inout Trace.Rest?, at time: Int64) {
    guard var ended = rest else { return }
    ended.range = ended.range.lowerBound..<max(ended.range.lowerBound, time)
    rests.append(ended)
    rest = nil
  }

  /// When the frame behind the last one before a rest began.
  private func nextBegin(after rest: Trace.Rest) -> Int64? {
    let next = (rest.frame ?? -1) + 1
    return next < series.frames.count ? series.frames[next].begin : nil
  }
}
