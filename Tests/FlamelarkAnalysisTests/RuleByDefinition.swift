import FlamelarkAnalysis
import FlamelarkTrace

/// The rules of others once more, written from their definitions in seconds and with every frame looked
/// at anew: slow, and not from the sources that are tested.
struct RuleByDefinition {
  /// A time between two frames.
  struct Gap {
    var number: Int
    /// In seconds.
    var from: Double
    var to: Double
    /// What the link said at its end, in seconds.
    var interval: Double
    /// The number of the frame whose time ended where this one began.
    var before: Int?
    var length: Double { to - from }
  }

  let judged: JudgedFrames
  let trace: Trace
  private var series: Trace.FrameSeries { judged.series }
  private var mode: Trace.FrameSeries.Mode { judged.series.mode }

  init(_ judged: JudgedFrames, in trace: Trace) {
    self.judged = judged
    self.trace = trace
  }

  private func seconds(_ time: Int64) -> Double { Double(time) / 1e9 }

  // MARK: Times

  /// How long the program worked for each frame, and how long it might.
  func work() -> [(number: Int, start: Double, length: Double, allowed: Double)] {
    series.frames.indices.compactMap { index in
      let frame = series.frames[index]
      let verdict = judged.frames[index]
      if frame.isRequested == false { return nil }
      var end: Int64?
      if let span = frame.span {
        end = trace.spans.end[span]
      } else if mode == .marks {
        if let rest = rest(behind: index) {
          end = rest
        } else if isFollowed(index) {
          end = series.frames[index + 1].timestamp
        }
      } else if let own = frame.end {
        end = own
      } else if mode == .displayLink {
        if isFollowed(index), rest(behind: index) == nil {
          end = series.frames[index + 1].timestamp
        }
      } else if index + 1 < series.frames.count {
        end = series.frames[index + 1].timestamp
      }
      return end.map {
        (
          index, seconds(frame.timestamp), seconds($0 - frame.timestamp), seconds(verdict.interval)
        )
      }
    }
  }

  /// When the rest behind a frame begins.
  private func rest(behind index: Int) -> Int64? {
    series.rests.first { rest in
      // What was taken back before the frame had ended was none.
      guard rest.frame == index else { return false }
      if mode == .marks || rest.kind == .paused { return true }
      let next = index + 1 < series.frames.count ? series.frames[index + 1].timestamp : .max
      return rest.range.upperBound > min(series.frames[index].end ?? .max, next)
    }?.range.lowerBound
  }

  private func isFollowed(_ index: Int) -> Bool {
    guard index + 1 < series.frames.count else { return false }
    let next = series.frames[index + 1]
    return !next.beginsSegment && next.timestamp >= series.frames[index].timestamp
  }

  /// Whether the loop seems to have waited for more than ten intervals.
  private func seemsToRest(_ index: Int) -> Bool {
    let frame = series.frames[index]
    guard mode != .marks, frame.isRequested == nil else { return false }
    guard let end = frame.span.map({ trace.spans.end[$0] }) ?? frame.end else { return false }
    let next = series.frames[index + 1]
    let elapsed = max(next.timestamp, end) - frame.timestamp
    let interval = mode == .presented ? frame.interval ?? 0 : judged.frames[index].interval
    return elapsed > 10 * interval && (next.timestamp - end) / 4 > elapsed / 5
  }

  /// The times from timestamp to timestamp.
  func callbacks() -> [Gap] {
    var gaps: [Gap] = []
    for (index, frame) in series.frames.enumerated() where frame.isRequested != false {
      var end: Int64
      if let span = frame.span {
        end = trace.spans.end[span]
        if isFollowed(index), !spanRests(index) {
          end = max(end, series.frames[index + 1].timestamp)
        }
      } else {
        guard isFollowed(index), rest(behind: index) == nil, !seemsToRest(index) else { continue }
        end = series.frames[index + 1].timestamp
      }
      let next = index + 1 < series.frames.count ? index + 1 : index
      var before = gaps.last?.number
      if before != index - 1 || before.map(spanRests) ?? false { before = nil }
      gaps.append(
        Gap(
          number: index, from: seconds(frame.timestamp), to: seconds(end),
          interval: seconds(
            mode == .presented
              ? series.frames[next].interval ?? 0 : judged.frames[next].interval), before: before))
    }
    return gaps
  }

  private func spanRests(_ index: Int) -> Bool {
    guard let span = series.frames[index].span, isFollowed(index) else { return false }
    let (start, next) = (series.frames[index].timestamp, series.frames[index + 1].timestamp)
    let elapsed = max(trace.spans.end[span], next) - start
    let gap = elapsed - (trace.spans.end[span] - start)
    return elapsed > 10 * judged.frames[index].interval && gap / 4 > elapsed / 5
  }

  /// The times from shown to shown.
  func shows() -> [Gap] {
    guard mode == .presented else { return callbacks() }
    var gaps: [Gap] = []
    for (index, frame) in series.frames.enumerated() {
      let verdict = judged.frames[index]
      guard let shown = frame.presented, verdict.isCountable, !verdict.isIdle,
        verdict.idleTime == 0,
        let before = series.frames[..<index].lastIndex(where: {
          !$0.isDiscarded || $0.isRequested == false
        }),
        series.frames[before].isRequested != false, let from = series.frames[before].presented
      else { continue }
      gaps.append(
        Gap(
          number: index, from: seconds(from), to: seconds(shown), interval: 0,
          before: gaps.last?.number == before ? before : nil))
    }
    return gaps
  }

  // MARK: Rules

  func jankStats(multiplier: Double) -> [Int] {
    var last: Double?
    return work().filter { frame in
      defer { last = frame.start }
      return frame.start != last && frame.length - frame.allowed * multiplier > 1e-10
    }.map(\.number)
  }

  /// By how much each frame was ready late, in milliseconds, ascending.
  func overruns() -> [Double] { work().map { ($0.length - $0.allowed) * 1000 }.sorted() }

  func percentile(_ percent: Double) -> Double? {
    let values = overruns()
    guard let last = values.last else { return nil }
    let place = percent / 100 * Double(values.count - 1)
    let low = Int(place + 1e-9)
    let high = low + 1 < values.count ? values[low + 1] : last
    return values[low] + (high - values[low]) * (place - Double(low))
  }

  func sentry() -> (slow: [Int], frozen: [Int], delay: Double) {
    var result: (slow: [Int], frozen: [Int], delay: Double) = ([], [], 0)
    for gap in callbacks() {
      let expected = 1 / ((1 / gap.interval).rounded() - 1)
      if gap.length > 0.7 + 1e-10 {
        result.frozen.append(gap.number)
      } else if gap.length > expected + 1e-10 {
        result.slow.append(gap.number)
      } else {
        continue
      }
      result.delay += gap.length - expected
    }
    return result
  }

  func perfDog() -> (jank: [Int], big: [Int], stutter: Double?) {
    let gaps = shows()
    func isJank(_ index: Int) -> Bool {
      guard index >= 3, (index - 2...index).allSatisfy({ gaps[$0].before != nil }) else {
        return false
      }
      let mean = (gaps[index - 3].length + gaps[index - 2].length + gaps[index - 1].length) / 3
      return gaps[index].length > 2 * mean + 1e-10 && gaps[index].length > 0.084 + 1e-10
    }
    let jank = gaps.indices.filter(isJank)
    let total = gaps.reduce(0) { $0 + $1.length }
    return (
      jank.map { gaps[$0].number },
      jank.filter { gaps[$0].length > 0.125 + 1e-10 }.map { gaps[$0].number },
      total > 0 ? jank.reduce(0) { $0 + gaps[$1].length } / total * 100 : nil
    )
  }

  func unreal() -> [Int] {
    let gaps = callbacks()
    var hitches: [Gap] = []
    for (index, gap) in gaps.enumerated() {
      let before = gap.before == nil ? 0 : gaps[index - 1].length
      if gap.length > 0.06 - 1e-10, gap.length > before * 1.5 + 1e-10,
        hitches.allSatisfy({ gap.to - $0.to > 0.2 - 1e-10 })
      {
        hitches.append(gap)
      }
    }
    return hitches.map(\.number)
  }

  func capFrameX() -> [Int] {
    let gaps = shows()
    let average = gaps.reduce(0) { $0 + $1.length } / Double(max(1, gaps.count))
    return gaps.filter { $0.length > 2.5 * average + 1e-10 }.map(\.number)
  }
}
