internal import FlamelarkFormat
internal import FlamelarkTrace

/// The hitch ratio that a series would have had if some causes had cost what they normally do.
///
/// Each hitch in which one of them bears lateness is replayed, with the frames that it waited for. Where
/// a cause takes more in a phase than good frames are apart from each other (mean and two standard
/// deviations), it gets their mean; else it stays as it was, for ordinary variation won't go. Where hardly
/// a frame is good, all frames say what is usual. Frames in time stay in time.
struct WhatIf {
  /// More hitches of a cause are not all replayed: then every so many-th stands for its neighbours.
  private static let mostHitches = 4096

  /// What a cause usually takes in a phase, in nanoseconds.
  struct Usual {
    var time: Double
    var deviation: Double
  }

  /// Over so many standard deviations more is unusual.
  private static let unusual = 2.0

  private let judged: JudgedFrames
  private let partition: FramePartition
  private let cut: NamedCut
  private var replay: Replay
  /// The time of each definition in the phase that is asked for, and which of them have any.
  private var times: [Int: Int64] = [:]

  init(of partition: FramePartition, judged: JudgedFrames, cut: NamedCut) {
    self.judged = judged
    self.partition = partition
    self.cut = cut
    replay = Replay(of: cut, walk: partition.walk)
  }

  /// Whether it can be said what would be without a cause.
  static func canTell(_ kind: Cause.Kind) -> Bool {
    switch kind {
    case .span, .folded, .uninstrumented, .preempted, .blocked: true
    case .queued, .backlog, .other: false
    }
  }

  /// The lateness of a hitch if the causes took what `usual` says, by definition and position.
  mutating func lateness(
    of frame: Int, without definitions: [Int],
    usual: (_ definition: Int, _ position: Int) -> Usual
  ) -> Int64 {
    let verdict = judged.frames[frame]
    let left: Double
    if judged.series.isPipeline {
      var model = PipelineModel(display: partition.display)
      model.load(frame, of: judged, partition.phases) { _, _ in 0 }
      let savings = model.phases.map {
        saving(inPhase: $0.number, of: $0.frame, definitions, usual)
      }
      var next = 0
      let rest = model.rest { _ in
        defer { next += 1 }
        return savings[next]
      }
      left = rest * Double(verdict.lateness)
    } else {
      let saved = partition.phases.phases(of: frame).reduce(0.0) {
        $0 + saving(inPhase: $1, of: frame, definitions, usual)
      }
      left = rest(of: frame, saved: saved)
    }
    let end = verdict.target.plus(Int64(min(left.rounded(), Double(verdict.lateness))))
    return Lateness.lateness(end: end, target: verdict.target, interval: verdict.interval)
  }

  /// What is left of the lateness of a frame that had `saved` nanoseconds less to do.
  private func rest(of frame: Int, saved: Double) -> Double {
    let (verdict, lateness) = (judged.frames[frame], Double(judged.frames[frame].lateness))
    guard partition.display.isInSteps, let end = judged.series.frames[frame].end else {
      return max(0, lateness - saved)
    }
    // The next frame comes with the first refresh behind the end of this one.
    let over = Double(end.minus(verdict.target))
    guard over > 0, saved > 0 else { return lateness }
    let intervals = (max(0, over - saved) / Double(verdict.slot)).rounded(.up)
    return min(lateness, intervals * Double(verdict.slot))
  }

  private mutating func saving(
    inPhase number: Int, of frame: Int, _ definitions: [Int],
    _ usual: (_ definition: Int, _ position: Int) -> Usual
  ) -> Double {
    times.removeAll(keepingCapacity: true)
    for entry in partition.row(ofPhase: number) {
      let definition = cut.definition(of: entry.node)
      if definitions.contains(definition) { times[definition, default: 0] += entry.time }
    }
    let phase = partition.phases[number]
    var kept: [Int: Double] = [:]
    var alone = 0.0
    for (definition, time) in times {
      let usual = usual(definition, phase.position)
      guard Double(time) > usual.time + Self.unusual * usual.deviation else { continue }
      kept[definition] = usual.time / Double(time)
      alone += Double(time) - usual.time
    }
    guard !kept.isEmpty else { return 0 }
    if partition.walk.links.isEmpty
      || kept.keys.contains(where: { cut.definitions[$0].kind == .folded })
    {
      return alone
    }
    let span = judged.series.frames[frame].span
    return min(
      replay.saving(in: phase, frameSpan: span, kept: kept), Double(phase.range.duration))
  }

  /// Which of the hitches of a cause are replayed, and how many each stands for.
  static func sample(_ hitches: [Int]) -> (hitches: [Int], weight: Double) {
    guard hitches.count > mostHitches else { return (hitches, 1) }
    let step = (hitches.count + mostHitches - 1) / mostHitches
    let chosen = stride(from: 0, to: hitches.count, by: step).map { hitches[$0] }
    return (chosen, Double(hitches.count) / Double(chosen.count))
  }
}
