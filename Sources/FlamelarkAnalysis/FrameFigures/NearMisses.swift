internal import FlamelarkFormat
internal import FlamelarkTrace

/// Frames in time that were ready with hardly any time left: with less than a tenth of their interval.
///
/// They are told only where it is known when a frame was ready: not of a loop that only marks its passes,
/// and not of spans most of which end where the next one begins, since they wait within themselves.
public struct NearMisses: Sendable, Equatable {
  /// How many.
  public let count: Int
  /// Among how many frames in time of which it is known when they were ready.
  public let known: Int

  /// nil where nothing is known of any frame.
  init?(_ judged: JudgedFrames) {
    var count = 0
    var known = 0
    var waiting = 0
    for frame in judged.frames where frame.isActive && frame.lateness == 0 {
      guard let ready = judged.readyTime(of: frame) else { continue }
      known += 1
      if judged.waitsWithin(frame) { waiting += 1 }
      if frame.target.minus(ready) <= frame.interval / 10 { count += 1 }
    }
    guard known > 0, waiting * 2 <= known else { return nil }
    self.count = count
    self.known = known
  }
}

extension JudgedFrames {
  /// Whether a frame that is a span ends where the next one begins.
  fileprivate func waitsWithin(_ frame: Frame) -> Bool {
    let next = frame.number + 1
    guard series.mode == .spans, series.frames.indices.contains(next) else { return false }
    let gap = series.frames[next].timestamp.minus(frame.window.upperBound)
    return gap <= Lateness.tolerance(interval: frame.interval)
  }

  /// When the program had a frame ready, nil if that isn't known.
  fileprivate func readyTime(of frame: Frame) -> Int64? {
    guard series.frames.indices.contains(frame.number) else { return nil }
    let recorded = series.frames[frame.number]
    switch series.mode {
    case .marks: return nil
    case .spans: return recorded.span == nil ? nil : recorded.end
    case .displayLink: return recorded.end
    // With the stages behind the loop.
    case .presented: return recorded.end == nil ? nil : frame.window.upperBound
    }
  }
}
