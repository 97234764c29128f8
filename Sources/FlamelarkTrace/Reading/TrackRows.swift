/// The rows of tracks, whose spans have the times of another clock or device.
struct TrackRows {
  /// A clock: the name of its track, and its rate.
  private struct Clock: Hashable {
    var track: String
    var ticksPerSecond: UInt64
  }

  private(set) var groups: [TrackWriter.LooseGroup] = []
  private(set) var clocks: [Trace.DeviceClock] = []
  private(set) var issues: [Trace.Issue] = []
  /// What a track tells may begin before the recording or end after it, but not by more, ns.
  private static let slack: Int64 = 1_000_000_000

  /// A group for each track that has spans, in the order of their names. The recording is `from` one
  /// time of CLOCK_MONOTONIC `to` another.
  init(_ events: RecordedEvents, from: Int64, to: Int64, name: (UInt32) -> String) {
    guard !events.trackSpans.isEmpty || !events.trackRelations.isEmpty else { return }
    let maps = deviceClocks(events, name: name)
    let (first, last) = (from - Self.slack, max(from, to) + Self.slack)
    var spans: [String: [LooseRows.Span]] = [:]
    var unrelated: [String: Int] = [:]
    var (reversed, outside) = (0, 0)
    for span in events.trackSpans {
      let track = name(span.track)
      var (start, end) = (span.from.plausibleTime, span.to.plausibleTime)
      if span.ticksPerSecond > 0 {
        guard
          let map = maps[Clock(track: track, ticksPerSecond: span.ticksPerSecond)]
        else {
          unrelated[track, default: 0] += 1
          continue
        }
        (start, end) = (map(span.from), map(span.to))
      }
      if end < start {
        end = start
        reversed += 1
      }
      if start < first || end > last { outside += 1 }
      guard end >= first, start <= last else { continue }
      spans[track, default: []].append(
        LooseRows.Span(start: max(start, first), end: min(end, last), site: span.site))
    }
    groups = spans.sorted { $0.key < $1.key }.map { name, spans in
      TrackWriter.LooseGroup(kind: .track, name: name, spans: spans)
    }
    add(reversed, "spans of tracks that end before they begin taken as moments")
    add(outside, "spans of tracks far outside of the recording cut or left out")
    for (track, count) in unrelated.sorted(by: { $0.key < $1.key }) {
      add(count, "spans of the track \(track) left out, since its clock was never related")
    }
  }

  private mutating func deviceClocks(
    _ events: RecordedEvents, name: (UInt32) -> String
  ) -> [Clock: DeviceClockMap] {
    let relations = Dictionary(grouping: events.trackRelations) { relation in
      Clock(track: name(relation.track), ticksPerSecond: relation.ticksPerSecond)
    }
    var maps: [Clock: DeviceClockMap] = [:]
    let sorted = relations.sorted { a, b in
      (a.key.track, a.key.ticksPerSecond) < (b.key.track, b.key.ticksPerSecond)
    }
    for (clock, relations) in sorted {
      guard
        let map = DeviceClockMap(
          relations.map { ($0.time, $0.monotonic) }, ticksPerSecond: clock.ticksPerSecond)
      else { continue }
      maps[clock] = map
      clocks.append(
        Trace.DeviceClock(
          track: clock.track, ticksPerSecond: clock.ticksPerSecond,
          relations: relations.count - map.contradicting, drift: map.drift))
      add(map.contradicting, "relations of the clock of \(clock.track) that contradict its rate")
    }
    return maps
  }

  private mutating func add(_ count: Int, _ text: String) {
    if count > 0 { issues.append(Trace.Issue(text, count: count)) }
  }

  /// A time that no span here begins before.
  var earliest: Int64 {
    groups.reduce(.max) { $1.spans.reduce($0) { min($0, $1.start) } }
  }
}
