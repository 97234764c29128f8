internal import FlamelarkTrace

/// The rows of spans that are asked for in ascending order. O(rows) for all of them.
struct SpanRows {
  private let tracks: [Trace.Track]
  private var track = 0

  init(of trace: Trace) { tracks = trace.tracks }

  /// The row of a span, which is not before the one that was asked for last.
  mutating func row(of span: Int) -> Int {
    while track < tracks.count - 1, tracks[track].spans.upperBound <= span { track += 1 }
    return track
  }
}
