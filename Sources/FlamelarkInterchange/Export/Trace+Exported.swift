internal import FlamelarkTrace

extension Trace {
  /// The series that gets scopes: the one that was asked for, else the one with most frames.
  func exportedSeries(_ options: ExportOptions) -> Int? {
    if let series = options.series { return frameSeries.indices.contains(series) ? series : nil }
    var longest: Int?
    for index in frameSeries.indices
    where longest.map({ frameSeries[$0].frames.count < frameSeries[index].frames.count }) ?? true {
      longest = index
    }
    return longest
  }

  /// What is taken from every time so that none is below 0.
  func exportedZero(_ options: ExportOptions) -> Int64 {
    if let range = options.range { return min(0, range.lowerBound) }
    var zero: Int64 = 0
    for track in tracks where !track.spans.isEmpty {
      zero = min(zero, spans.start[track.spans.lowerBound])
    }
    zero = min(zero, markers.first?.time ?? 0)
    for counter in counters { zero = min(zero, counter.times.first ?? 0) }
    for series in frameSeries { zero = min(zero, series.frames.map(\.begin).min() ?? 0) }
    return zero
  }
}
