internal import FlamelarkFormat
internal import FlamelarkTrace

/// Judder without a late frame: neighbours that stand for longer or shorter than they should.
///
/// Only of two frames one behind the other that are both in time, with no rest between them.
public struct PacingErrors: Sendable, Equatable {
  /// What is compared.
  public enum Measure: String, Sendable {
    /// |(Dᵢ − Dᵢ₋₁) − (Pᵢ − Pᵢ₋₁)| of frame times and intervals: what the rate doesn't explain.
    case frameTime = "frame-time"
    /// |(beginₖ − beginⱼ) − (Aₖ − Aⱼ)| of two frames shown one behind the other, A: when. A program moves
    /// things by when it began a frame; the eye sees them when it is shown.
    case animation
  }

  /// What is compared.
  public let measure: Measure
  /// How many pairs of frames were compared.
  public let pairs: Int
  /// In how many of them the error is above the tolerance of lateness, max(0.25 ms, 3 % of P).
  public let count: Int
  /// The errors: percentiles by nearest rank, and the greatest; nil without pairs.
  public let errors: SpanStatistics.Durations?
  /// The second frame of the pair with the greatest error, the first of equals; nil without pairs.
  public let worstFrame: Int?

  init(_ judged: JudgedFrames) {
    measure = judged.series.mode == .presented ? .animation : .frameTime
    let found = measure == .animation ? judged.animationErrors : judged.frameTimeErrors
    pairs = found.count
    count = found.count { $0.error > Lateness.tolerance(interval: $0.interval) }
    let errors = SpanStatistics.Durations(found.map(\.error)[...])
    self.errors = errors
    worstFrame = found.first { $0.error == errors?.longest }?.frame
  }
}

extension JudgedFrames {
  fileprivate typealias PairError = (frame: Int, error: Int64, interval: Int64)

  fileprivate var frameTimeErrors: [PairError] {
    var result: [PairError] = []
    var before: Frame?
    for frame in frames {
      defer { before = isPaced(frame) ? frame : nil }
      guard let first = before, isPaced(frame), first.number + 1 == frame.number,
        !series.frames[frame.number].beginsSegment
      else { continue }
      let change = frame.activeTime.minus(first.activeTime)
      let error = change.minus(frame.interval.minus(first.interval))
      result.append((frame.number, error.size, frame.interval))
    }
    return result
  }

  /// Whether a frame stood from one beginning to the next, in time.
  private func isPaced(_ frame: Frame) -> Bool {
    frame.isActive && frame.lateness == 0 && frame.idleTime == 0 && frame.activeTime > 0
      // A span that no other follows has its own length.
      && series.frames.indices.contains(frame.number + 1)
  }

  fileprivate var animationErrors: [PairError] {
    var result: [PairError] = []
    var before: (begin: Int64, shown: Int64)?
    var number = -1
    for frame in frames {
      if frame.number != number + 1 { before = nil }
      number = frame.number
      guard series.frames.indices.contains(number) else { continue }
      let recorded = series.frames[number]
      switch frame.display {
      case .dropped: continue
      case .untold, nil: before = nil
      case .shown:
        guard let shown = recorded.presented, !frame.isIdle, frame.lateness == 0 else {
          before = nil
          continue
        }
        if let first = before, frame.isActive, frame.idleTime == 0 {
          let step = recorded.begin.minus(first.begin)
          let error = step.minus(shown.minus(first.shown))
          result.append((number, error.size, frame.interval))
        }
        before = (recorded.begin, shown)
      }
    }
    return result
  }
}

extension Int64 {
  /// How far from 0, the greatest value if there is none.
  fileprivate var size: Int64 { self == .min ? .max : Swift.abs(self) }
}
