internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// What became of frames on their way to the display, where that is known.
  func shown(_ series: Judgement) -> [String] {
    let frames = series.frames
    guard frames.series.mode == .presented else { return [] }
    var phrases: [String] = []
    if frames.dropped.isEmpty {
      phrases.append("dropped 0")
    } else {
      let numbers = frames.dropped.prefix(8).map { "\($0)" }.joined(separator: ", ")
      let more = frames.dropped.count > 8 ? ", …" : ""
      phrases.append(
        "dropped \(Figure.count(frames.dropped.count, "frame")): \(numbers)\(more)")
    }
    if frames.latency.frames > 0 {
      phrases.append(
        "latency \(Figure.milliseconds(frames.latency.mean)) ms behind target for "
          + Figure.count(
            frames.latency.frames, "frame that came no later than the one before it",
            "frames that came no later than those before them")
      )
    }
    return FlamelarkReport.lines(of: phrases, width: width, first: "  ")
  }
}

extension BlameReport {
  /// The same for a program; null where it is not known when frames were shown.
  func writeShown(_ frames: JudgedFrames, to json: inout JSONWriter) {
    let isKnown = frames.series.mode == .presented
    json.object("shown", onOneLine: true) { json in
      json.member("dropped", isKnown ? frames.dropped.count : nil)
      json.member("untold", isKnown ? frames.untold : nil)
      json.member("behind_target", isKnown ? frames.latency.frames : nil)
      json.member("mean_behind_target_ns", isKnown ? frames.latency.mean : nil)
    }
    json.array("dropped_frames", of: frames.dropped, onOneLine: true) { $0.number($1) }
  }
}
