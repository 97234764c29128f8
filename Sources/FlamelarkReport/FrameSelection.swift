internal import FlamelarkAnalysis
public import FlamelarkTrace

/// Which frames of a series a report speaks of: those that begin in all that is asked for.
public struct FrameSelection: Sendable, Equatable {
  /// What is left out at the beginning of a series, so that it can warm up.
  public enum Skip: Sendable, Equatable {
    /// So many frames.
    case frames(Int)
    /// So many nanoseconds from its first frame on.
    case time(Int64)
  }

  /// Only frames in it. An upper bound of `.max` is the end.
  public var range: Range<Int64>?
  /// Only frames within activities of this name.
  public var activity: String?
  /// What is left out at the beginning.
  public var skip: Skip?

  /// All frames.
  public init() {}

  /// Whether it is all frames.
  var isAll: Bool { self == FrameSelection() }

  /// The times in which frames of a series may begin, ascending and apart; nil: at any time.
  ///
  /// `refresh` is as in ``BlameReport/Options``.
  public func ranges(
    of series: Trace.FrameSeries, in trace: Trace, refresh: Int64?
  ) -> [Range<Int64>]? {
    guard !isAll else { return nil }
    var whole = range ?? Int64.min..<Int64.max
    if let first = firstTime(of: series, in: trace, refresh: refresh) {
      whole = whole.clamped(to: first..<Int64.max)
    }
    guard let activity else { return whole.isEmpty ? [] : [whole] }
    return trace.activities(of: series).filter { trace.names[$0.name] == activity }
      .map { $0.range.clamped(to: whole) }.apart
  }

  /// From when on frames count, nil: from the first on.
  private func firstTime(
    of series: Trace.FrameSeries, in trace: Trace, refresh: Int64?
  ) -> Int64? {
    guard let skip else { return nil }
    let frames = JudgedFrames(of: series, in: trace, refresh: refresh).frames
    switch skip {
    case .frames(let count):
      return frames.dropFirst(count).first?.window.lowerBound ?? .max
    case .time(let time):
      return frames.first.map { $0.window.lowerBound.addingReportingOverflow(time) }
        .map { $0.overflow ? .max : $0.partialValue }
    }
  }

  /// What a header says of it; nil: of several traces.
  func phrases(in trace: Trace?) -> [String] {
    var phrases: [String] = []
    if let activity {
      let count = trace.map { trace in
        let count = trace.activities.count { trace.names[$0.name] == activity }
        return ", " + Figure.count(count, "activity", "activities")
      }
      phrases.append(
        "in \"\(shortened(PrintableText(activity).text, to: 32))\"" + (count ?? ""))
    }
    switch skip {
    case .frames(let count): phrases.append("without the first \(Figure.count(count, "frame"))")
    case .time(let time): phrases.append("without the first \(Figure.duration(time))")
    case nil: break
    }
    if let range {
      let from = "from \(Figure.seconds(range.lowerBound, decimals: 3))"
      phrases.append(
        range.upperBound == .max
          ? from + " s" : from + " to \(Figure.seconds(range.upperBound, decimals: 3)) s")
    }
    return phrases
  }
}
