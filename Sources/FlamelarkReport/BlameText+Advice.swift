internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameText {
  /// That it can't be told what made the frames late, and what to record to know.
  func advice(_ series: Judgement) -> [String] {
    guard series.declines else { return [] }
    let part = "\(Figure.percent(series.explained)) %"
    let sentence =
      "This trace can't tell what made these frames late: \(part) of the lateness has a cause that "
      + "stands out. To know more:"
    let steps = steps(series)
    return [""]
      + wrapped(sentence, width: width, first: "", next: "").enumerated().map {
        $0 == 0 ? style.bold($1) : $1
      } + steps.flatMap { wrapped($0, width: width, first: "  - ", next: "    ") }
  }

  /// At least one: what is not explained is in no span, backlog, other variation, or is in causes that
  /// don't stand out, and one of these has more than a tenth of all.
  private func steps(_ series: Judgement) -> [String] {
    let counts = Unmeasured(in: report.trace)
    func late(_ kind: Cause.Kind) -> Int64 {
      series.causes.reduce(0) { $0 + ($1.kind == kind ? $1.blame : 0) }
    }
    func matters(_ kind: Cause.Kind) -> Bool { late(kind) > series.frames.hitchTime / 10 }
    func inAll(_ kind: Cause.Kind) -> String { "\(Figure.milliseconds(late(kind))) ms late" }
    var steps: [String] = []
    if matters(.uninstrumented) {
      let gap = series.causes.first { $0.kind == .uninstrumented }?.gap
      steps.append(
        "put spans where there are none (\(inAll(.uninstrumented)))"
          + (gap.map { ", first \(SpanGap($0).text)" } ?? ""))
    }
    if matters(.blocked) {
      steps.append(
        "say who ends waits (\(inAll(.blocked))): TracedMutex, TracedCondition, TracedSemaphore, "
          + "TracedQueue, or withWait(…, on: point) beside point.signal()")
    }
    if counts.belowMinimum > 0, matters(.other) || matters(.uninstrumented) {
      steps.append(
        "record spans shorter than \(Figure.duration(report.trace.source.minimumDuration)) too: "
          + "a smaller minimumDuration")
    }
    if counts.overDepth > 0 {
      steps.append(
        "record deeper: \(Figure.count(counts.overDepth, "span")) were below the greatest depth")
    }
    if matters(.other) {
      if report.trace.threadStates.isEmpty {
        steps.append(
          "record with nothing else running: this trace doesn't say when its threads had no processor"
        )
      }
      if series.goodFrames < 30 {
        steps.append(
          "record for longer: \(Figure.count(series.goodFrames, "good frame")) say little of what is "
            + "normal")
      }
      steps.append(
        "other variation (\(inAll(.other))): many parts took a little longer, none stands out; "
          + "less work in every frame helps")
    }
    if matters(.backlog) {
      steps.append(
        "backlog (\(inAll(.backlog))): frames before still ran, none for longer than normal; "
          + "less work in every frame helps")
    }
    let vague = unexplained(series)
    if vague > series.frames.hitchTime / 10 {
      let inAll = "\(Figure.milliseconds(vague)) ms late"
      steps.append(
        series.strata.contains(where: \.isSystemic)
          ? "hardly a frame is in time, and so none tells what is normal (\(inAll)): if the loop is "
            + "meant to run at another rate, give --refresh HZ; else less work in every frame helps"
          : "none of the causes stands out above what good frames vary by anyway (\(inAll)): put spans "
            + "into the largest of them, or record for longer")
    }
    return steps
  }

  /// What causes with a name bear in hitches in which they don't stand out, in nanoseconds.
  private func unexplained(_ series: Judgement) -> Int64 {
    let unnamed = series.causes.reduce(Int64(0)) {
      [.uninstrumented, .backlog, .other].contains($1.kind) ? $0 + $1.blame : $0
    }
    let explained = Int64(series.explained * Double(series.frames.hitchTime))
    return max(0, series.frames.hitchTime - explained - unnamed)
  }
}
