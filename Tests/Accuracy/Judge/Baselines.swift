/// What simpler methods would blame, on the same runs. They know everything that happened.
struct Baselines {
  enum Method: String, CaseIterable {
    case criticalPath = "critical path, self time"
    case differential = "above normal, main only"
    case previousFrame = "above the frame before, main only"
    case selfMain = "heaviest self time, main"
    case selfAll = "heaviest self time, all threads"
    case inclusiveMain = "heaviest total time, main"
    case inclusiveAll = "heaviest total time, all threads"
    case stackKey = "Matrix's stack key, main"

    /// Whether it knows what the loop waited for, as we do.
    var usesCriticalPath: Bool { self == .criticalPath }
  }

  private let timeline: Timeline
  private let plan: Plan
  /// What spans take by themselves on `main`, by frame.
  private let selfTimes: [[CauseKey: Double]]
  /// What they take in good frames, on average, by interval.
  private var normal: [Int64: [CauseKey: Double]] = [:]

  init(of timeline: Timeline, outcome: Outcome, plan: Plan) {
    self.timeline = timeline
    self.plan = plan
    selfTimes = timeline.frames.map { frame in
      Self.selfTimes(timeline.segments(of: .main, in: frame.due.timestamp..<frame.end), timeline)
    }
    for interval in Set(plan.interval) {
      normal[interval] = mean(of: normalFrames(interval, outcome))
    }
  }

  /// What each method blames for a frame.
  func shares(of frame: Int) -> [Method: Shares] {
    var result: [Method: Shares] = [:]
    for method in Method.allCases {
      result[method] = Shares(normalizing: amounts(method, frame: frame))
    }
    return result
  }

  private func amounts(_ method: Method, frame: Int) -> [CauseKey: Double] {
    let times = timeline.frames[frame]
    let window = times.due.timestamp..<times.end
    // What comes behind the loop is a part of the frame where that is what makes it late.
    let whole = times.due.timestamp..<(plan.cell.isPresented ? times.presented : times.end)
    switch method {
    case .criticalPath: return criticalPath(of: times)
    case .differential:
      return excess(of: selfTimes[frame], over: normal[plan.interval[frame]] ?? [:])
    case .previousFrame:
      return excess(of: selfTimes[frame], over: frame > 0 ? selfTimes[frame - 1] : [:])
    case .selfMain: return selfTimes[frame]
    case .selfAll:
      return Thread.allCases.reduce(into: [:]) { sum, thread in
        let segments = timeline.segments(of: thread, in: whole)
        sum.merge(Self.selfTimes(segments, timeline), uniquingKeysWith: +)
      }
    case .inclusiveMain: return inclusiveTimes(of: .main, in: window)
    case .inclusiveAll:
      return Thread.allCases.reduce(into: [:]) { sum, thread in
        sum.merge(inclusiveTimes(of: thread, in: whole), uniquingKeysWith: +)
      }
    case .stackKey: return stackKey(in: window)
    }
  }

  private func excess(
    of times: [CauseKey: Double], over normal: [CauseKey: Double]
  ) -> [CauseKey: Double] {
    times.reduce(into: [:]) { result, entry in
      let excess = entry.value - normal[entry.key, default: 0]
      if excess > 0 { result[entry.key] = excess }
    }
  }

  private static func selfTimes(
    _ segments: [Timeline.Segment], _ timeline: Timeline
  ) -> [CauseKey: Double] {
    segments.reduce(into: [:]) { sum, segment in
      let role = timeline.paths.role(of: segment.path)
      sum[CauseKey(role ?? .frame), default: 0] += Double(segment.range.count)
    }
  }

  /// The roots of threads are not counted: they are around everything.
  private func inclusiveTimes(of thread: Thread, in range: Range<Int64>) -> [CauseKey: Double] {
    let roots: Set<Role> = [.frame, .render, .job, .transaction, .output]
    return timeline.segments(of: thread, in: range).reduce(into: [:]) { sum, segment in
      let roles = Set(timeline.paths.outwards(from: segment.path)).subtracting(roots)
      for key in Set(roles.map { CauseKey($0) }) {
        sum[key, default: 0] += Double(segment.range.count)
      }
    }
  }

  /// The heaviest of the deep calls, by `TraceDataUtils.getTreeKey` of Tencent's Matrix: of those that
  /// take 30 % of the whole the one with the greatest (depth + 1) × duration.
  private func stackKey(in window: Range<Int64>) -> [CauseKey: Double] {
    var times: [Paths.Index: Double] = [:]
    var whole = 0.0
    for segment in timeline.segments(of: .main, in: window) {
      whole += Double(segment.range.count)
      var path = segment.path
      while path != Paths.root {
        times[path, default: 0] += Double(segment.range.count)
        path = timeline.paths.parent(of: path)
      }
    }
    func weight(_ path: Paths.Index) -> Double {
      Double(timeline.paths.outwards(from: path).count) * times[path, default: 0]
    }
    let first = times.filter { $0.value >= 0.3 * whole }.keys.max {
      (weight($0), $1) < (weight($1), $0)
    }
    return first.flatMap { timeline.paths.role(of: $0) }.map { [CauseKey($0): 1] } ?? [:]
  }

  /// The self times of what the end of a frame waited for, backwards.
  private func criticalPath(of frame: FrameTimes) -> [CauseKey: Double] {
    let last: Thread = plan.cell.isPresented ? (plan.cell.isDisturbed ? .output : .render) : .main
    var result: [CauseKey: Double] = [:]
    var todo = [(last, frame.due.timestamp..<(last == .main ? frame.end : frame.presented))]
    while let (thread, range) = todo.popLast() {
      var end = range.upperBound
      // A stage waits for the one before it.
      let before: Thread? =
        switch thread {
        case .output: .render
        case .render: .main
        default: nil
        }
      for segment in timeline.segments(of: thread, in: range).reversed() {
        if let before, segment.range.upperBound < end {
          todo.append((before, segment.range.upperBound..<end))
        }
        end = segment.range.lowerBound
        let role = timeline.paths.role(of: segment.path) ?? .frame
        let time = Double(segment.range.count)
        switch segment.state {
        case .running: result[CauseKey(role), default: 0] += time
        case .preempted:
          let injection: Injection = thread == .database ? .inversion : .preempted
          result[.injection(injection), default: 0] += time
        case .blocked(let other): todo.append((other, segment.range))
        }
      }
      if let before, range.lowerBound < end { todo.append((before, range.lowerBound..<end)) }
    }
    return result
  }

  private func normalFrames(_ interval: Int64, _ outcome: Outcome) -> [Int] {
    let frames = plan.interval.indices.filter { plan.interval[$0] == interval }
    let good = frames.filter { frame in
      (max(0, frame - 2)...min(plan.frameCount - 1, frame + 1)).allSatisfy {
        outcome.lateness[$0] == 0
      }
    }
    if good.count >= 8 { return good }
    func total(_ frame: Int) -> Double { selfTimes[frame].values.reduce(0, +) }
    return Array(frames.sorted { (total($0), $0) < (total($1), $1) }.prefix(frames.count / 4))
  }

  private func mean(of frames: [Int]) -> [CauseKey: Double] {
    let sum = frames.reduce(into: [CauseKey: Double]()) { sum, frame in
      sum.merge(selfTimes[frame], uniquingKeysWith: +)
    }
    return sum.mapValues { $0 / Double(max(1, frames.count)) }
  }
}
