internal import FlamelarkFormat
internal import FlamelarkTrace

extension FrameJudge {
  /// Judges frames by when they were shown: mode P.
  ///
  /// A frame's time goes from the beginning of the first frame whose place it took to when the program
  /// had it ready. Times of several frames may overlap.
  mutating func judgeShown() -> [JudgedFrames.Frame] {
    let frames = series.frames
    var shown = ShownFrames()
    return frames.indices.map { index in
      let frame = frames[index]
      let before = index > 0 ? frames[index - 1] : nil
      let follows = before.map { followsRest(frame, behind: $0) } ?? false
      let due = nextDue(frame)
      let interval = stepInterval(of: frame, due)
      let verdict = shown.add(
        ShownFrames.Frame(
          target: due.target, interval: interval, outcome: frame.outcome,
          beginsSegment: frame.beginsSegment, followsRest: follows,
          isRequested: frame.isRequested != false, isOwnInterval: interval < due.interval))
      return judge(frame, verdict, due: due)
    }
  }

  /// How long after the frame before it one is due: its interval. In a pipeline whose targets lie
  /// several intervals ahead the record tells the interval apart.
  private func stepInterval(of frame: Trace.Frame, _ due: Due) -> Int64 {
    guard !due.isEstimated, let interval = frame.interval,
      Lateness.plausibleInterval.contains(interval)
    else { return due.interval }
    return min(interval, due.interval)
  }

  /// What the program said stands first. The interval is still that of the frame before.
  private func followsRest(_ frame: Trace.Frame, behind before: Trace.Frame) -> Bool {
    hasRest(behind: before) || rests(before, until: frame, interval: previousInterval ?? 0)
  }

  private func judge(
    _ frame: Trace.Frame, _ verdict: ShownFrames.Verdict?, due: Due
  ) -> JudgedFrames.Frame {
    let isPlausible = frame.isPlausible
    let start = isPlausible ? start(of: frame) : frame.timestamp
    let next = frame.number + 1 < series.frames.count ? series.frames[frame.number + 1].begin : nil
    let end = readyTime(of: frame) ?? next ?? start
    guard frame.isRequested != false else {
      return self.verdict(
        frame, window: start..<max(start, isPlausible ? end : start), due: due, isIdle: true)
    }
    var result: JudgedFrames.Frame
    if let verdict, isPlausible {
      let first = series.frames[frame.number - verdict.placesBack]
      let begin = min(start, self.start(of: first))
      result = self.verdict(
        frame, window: begin..<max(start, end),
        due: (verdict.due, due.interval, due.isEstimated), lateness: verdict.lateness,
        activeTime: verdict.activeTime, idleTime: verdict.idleTime)
      result.placesBack = verdict.placesBack
      result.inherited = max(0, verdict.due.minus(verdict.target))
      result.budget = max(1, verdict.target.minus(begin))
      result.slot = verdict.slot
    } else {
      result = self.verdict(
        frame, window: start..<max(start, isPlausible ? end : start), due: due, isCountable: false)
    }
    result.display = display(of: frame, isLate: result.lateness > 0, due: due)
    return result
  }

  /// When a frame was ready: its last stage had ended, and that was before it was shown.
  private func readyTime(of frame: Trace.Frame) -> Int64? {
    guard let stages = stageEnds[frame.number] else { return frame.end }
    return max(frame.end ?? .min, min(stages, frame.presented ?? .max))
  }

  private func display(
    of frame: Trace.Frame, isLate: Bool, due: Due
  ) -> JudgedFrames.Display {
    switch frame.outcome {
    case .discarded: return .dropped
    case .untold: return .untold
    case .presented(let time):
      let behind = Lateness.lateness(end: time, target: due.target, interval: due.interval)
      return .shown(behindTarget: isLate ? 0 : behind)
    }
  }
}

extension Trace.Frame {
  fileprivate var outcome: ShownFrames.Outcome {
    if let presented { return .presented(presented) }
    return isDiscarded ? .discarded : .untold
  }
}

extension Trace.FrameSeries {
  /// The first rest behind each frame that has one.
  ///
  /// What a display link's program took back before the frame had ended was none.
  func restsByFrame() -> [Int: Trace.Rest] {
    var result: [Int: Trace.Rest] = [:]
    for rest in rests {
      guard let number = rest.frame, frames.indices.contains(number), result[number] == nil else {
        continue
      }
      if mode != .marks, rest.kind == .noFrameNeeded, !rest.isUnfinished {
        let next = number + 1 < frames.count ? frames[number + 1].begin : Int64.max
        if rest.range.upperBound <= min(frames[number].end ?? .max, next) { continue }
      }
      result[number] = rest
    }
    return result
  }
}
