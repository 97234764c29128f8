/// Where a trace begins and ends on the clock of its file.
struct EventTimes {
  /// The first event that is not far away from all others: time 0 of the trace.
  private(set) var zero: Int64 = 0
  /// The end of the last one, after ``zero``.
  private(set) var length: Int64 = 0
  /// How many events are outside of what is shown, and where the first stands.
  private(set) var rogueCount = 0
  private(set) var firstRogue: Int?

  private static let hour: Int64 = 3_600_000_000_000

  init(events: [ScannedEvent], samples: [ScannedSample]) {
    let plausible = Self.plausibleTimes(events: events, samples: samples)
    var first = Int64.max
    var last = Int64.min
    for event in events {
      guard plausible.contains(event.start) else {
        rogueCount += 1
        firstRogue = min(firstRogue ?? .max, event.offset)
        continue
      }
      first = min(first, event.start)
      last = max(last, plausible.contains(event.end) ? event.end : event.start)
    }
    for sample in samples {
      guard plausible.contains(sample.time) else {
        rogueCount += 1
        continue
      }
      first = min(first, sample.time)
      last = max(last, sample.time)
    }
    guard first <= last else { return }
    zero = first
    length = last - first
  }

  /// Some writers stamp a few events with 0, or with a clock of their own. What is further than an
  /// hour and a hundred times the usual spread from the usual times is one of these.
  private static func plausibleTimes(
    events: [ScannedEvent], samples: [ScannedSample]
  ) -> ClosedRange<Int64> {
    let everything = -DecimalTime.limit...DecimalTime.limit
    let step = max(events.count / 1000, 1)
    let times = stride(from: 0, to: events.count, by: step).map { events[$0].start }.sorted()
    guard times.count >= 8 else { return everything }
    let low = times[times.count / 8]
    let high = times[times.count - 1 - times.count / 8]
    let (spread, overflow) = (high - low).multipliedReportingOverflow(by: 100)
    guard !overflow else { return everything }
    let margin = max(hour, spread)
    return max(
      low.subtractingClamped(margin), everything.lowerBound)...min(
        high.addingClamped(margin), everything.upperBound)
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }
}
