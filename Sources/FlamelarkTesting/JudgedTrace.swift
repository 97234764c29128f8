internal import FlamelarkAnalysis
internal import FlamelarkReport
internal import FlamelarkTrace

/// The trace of one iteration, judged: its figures, and what made its frames late.
struct JudgedTrace: Sendable {
  /// The name of the series that was judged.
  let series: String
  let iteration: Hitches.Iteration
  /// What bears the lateness, all of it.
  let causes: [Cause]
  /// What the thread of the loop is for.
  let loop: String
  /// The lateness that causes bear which stand out, in nanoseconds.
  let explained: Double
  /// What the recorder lost.
  let lost: UInt64
  /// Whether the trace has several series, so that a command has to name one.
  let hasOtherSeries: Bool
}

extension JudgedTrace {
  /// Judges what was asked for of a trace. Throws if nothing of it counts.
  init(
    _ trace: Trace, of facts: RecordedIteration.Facts, asked question: Question
  ) throws(HitchMeasurementError) {
    let choice = SeriesChoice(trace, iteration: facts.number)
    let series = try choice.series(question)
    try choice.checkActivity(question)
    let ranges = question.selection.ranges(of: series, in: trace, refresh: nil)
    let all = JudgedFrames(of: series, in: trace)
    let frames = ranges.map { all.within($0) } ?? all
    guard frames.activeTime > 0 else { throw choice.nothingCounts(all, question) }
    let late = frames.frames.filter { $0.lateness > 0 }
    self.series = series.name
    iteration = Hitches.Iteration(frames, late: late, facts)
    // To find causes takes several times as long as to judge frames.
    if late.isEmpty {
      (causes, explained) = ([], 0)
    } else {
      var options = Blame.Options()
      options.ranges = ranges
      let blame = Blame(of: trace, series: series, options: options)
      causes = blame.causes.filter { $0.blame > 0 }
      explained = blame.hitches.reduce(0) { $0 + $1.explained * Double($1.lateness) }
    }
    loop = trace.loopRole(of: series)
    lost = Unmeasured(in: trace).lost
    hasOtherSeries = choice.count > 1
  }
}

/// The series of a trace that have frames, and what is said if they don't answer the question.
private struct SeriesChoice {
  let trace: Trace
  let iteration: Int
  private let recorded: [Trace.FrameSeries]

  init(_ trace: Trace, iteration: Int) {
    self.trace = trace
    self.iteration = iteration
    recorded = trace.frameSeries.filter { !$0.frames.isEmpty }
  }

  var count: Int { recorded.count }

  func series(_ question: Question) throws(HitchMeasurementError) -> Trace.FrameSeries {
    let names = recorded.map(\.name)
    guard !recorded.isEmpty else { throw error(.noFrames(iteration: iteration)) }
    let chosen = question.series.map { name in recorded.filter { $0.name == name } } ?? recorded
    if let only = chosen.first, chosen.count == 1 { return only }
    if let name = question.series, chosen.isEmpty {
      throw error(.unknownSeries(name, among: names))
    }
    if let name = chosen.first?.name, chosen.allSatisfy({ $0.name == name }) {
      throw error(.sameName(name))
    }
    throw error(.severalSeries(names))
  }

  func checkActivity(_ question: Question) throws(HitchMeasurementError) {
    guard let name = question.activity else { return }
    var known: [String] = []
    for activity in trace.activities where !known.contains(trace.names[activity.name]) {
      known.append(trace.names[activity.name])
    }
    if !known.contains(name) { throw error(.unknownActivity(name, among: known)) }
  }

  /// Why none of the frames of a series counts.
  func nothingCounts(
    _ all: JudgedFrames, _ question: Question
  ) -> HitchMeasurementError {
    let why: HitchMeasurementError.Uncounted
    if all.activeTime == 0 {
      why = all.frames.contains { $0.isIdle || $0.idleTime > 0 } ? .rest : .noEnd
    } else if let name = question.activity {
      why = .activity(name)
    } else {
      why = .warmUp
    }
    return error(
      .nothingCounts(
        iteration: iteration, frames: all.frames.count, series: all.series.name, why))
  }

  private func error(_ reason: HitchMeasurementError.Reason) -> HitchMeasurementError {
    HitchMeasurementError(reason)
  }
}

extension Hitches.Iteration {
  fileprivate init(
    _ frames: JudgedFrames, late: [JudgedFrames.Frame], _ facts: RecordedIteration.Facts
  ) {
    let worst = late.max { ($0.lateness, $1.number) < ($1.lateness, $0.number) }
    self.init(
      number: facts.number, count: late.count, totalLateness: .nanoseconds(frames.hitchTime),
      activeTime: .nanoseconds(frames.activeTime),
      frameCount: frames.frames.count { $0.isCountable && !$0.isIdle },
      worst: worst.map {
        Hitches.LateFrame(
          iteration: facts.number, number: $0.number, lateness: .nanoseconds($0.lateness))
      }, preemptions: facts.preemptions, trace: facts.path)
  }
}
