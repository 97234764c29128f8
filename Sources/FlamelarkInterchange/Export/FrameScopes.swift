internal import FlamelarkTrace

/// The frames of one series that can be scopes: no span begins before one and ends within it, or
/// begins within it and ends behind it.
struct FrameScopes {
  /// The scopes of each row, in the order of time.
  private(set) var byTrack: [Int: [Range<Int64>]] = [:]
  private(set) var count = 0
  private(set) var omitted = 0

  /// Without a series there are none.
  init(of series: Trace.FrameSeries?, in trace: Trace) {
    guard let series else { return }
    var windows: [Int: [Range<Int64>]] = [:]
    for (index, frame) in series.frames.enumerated() where frame.span == nil {
      let next = index + 1 < series.frames.count ? series.frames[index + 1].begin : nil
      guard let end = frame.end ?? next, end > frame.begin else { continue }
      windows[frame.track, default: []].append(frame.begin..<end)
    }
    for (track, windows) in windows {
      let sorted = windows.sorted { $0.lowerBound < $1.lowerBound }
      let fitting = Self.fitting(sorted, spans: trace.spans, in: trace.tracks[track].spans)
      byTrack[track] = fitting
      count += fitting.count
      omitted += windows.count - fitting.count
    }
  }

  /// The windows that nest with the spans and with each other. Linear.
  private static func fitting(
    _ windows: [Range<Int64>], spans: Trace.Spans, in range: Range<Int>
  ) -> [Range<Int64>] {
    var isFitting = [Bool](repeating: true, count: windows.count)
    // What is open at the moment; `window` is nil for a span.
    var open: [(end: Int64, window: Int?)] = []
    func close(upTo time: Int64) {
      while let top = open.last, top.end <= time { open.removeLast() }
    }
    var nextWindow = 0
    func takeWindow() {
      let window = windows[nextWindow]
      close(upTo: window.lowerBound)
      if let top = open.last, top.window != nil || top.end < window.upperBound {
        isFitting[nextWindow] = false
      } else {
        open.append((window.upperBound, nextWindow))
      }
      nextWindow += 1
    }
    for span in range where spans.end[span] > spans.start[span] {
      while nextWindow < windows.count,
        Self.comesFirst(windows[nextWindow], before: spans.start[span], spans.end[span])
      {
        takeWindow()
      }
      close(upTo: spans.start[span])
      while let top = open.last, let window = top.window, spans.end[span] > top.end {
        isFitting[window] = false
        open.removeLast()
      }
      open.append((spans.end[span], nil))
    }
    while nextWindow < windows.count { takeWindow() }
    return windows.indices.filter { isFitting[$0] }.map { windows[$0] }
  }

  /// Whether a frame is opened before a span.
  ///
  /// A span without a duration stays outside at its begin: a longer one, with the frame inside,
  /// may follow it.
  static func comesFirst(_ window: Range<Int64>, before start: Int64, _ end: Int64) -> Bool {
    window.lowerBound < start
      || window.lowerBound == start && start < end && window.upperBound >= end
  }
}
