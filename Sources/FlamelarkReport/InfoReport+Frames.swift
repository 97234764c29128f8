internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension InfoReport {
  /// The stages of one name in one series.
  struct StageGroup: Sendable {
    let series: Int
    let name: String
    var count = 0
    var time: Int64 = 0
    /// In how many frames it is.
    var frames = 0
  }

  /// The stages of frames, by series and name. O(stages · log stages).
  static func stageGroups(of trace: Trace) -> [StageGroup] {
    struct Key: Hashable {
      var series: Int
      var name: NameID
    }
    var groups: [Key: StageGroup] = [:]
    var seen: [Key: Set<Int>] = [:]
    for stage in trace.stages {
      let name = trace.callSites[Int(trace.spans.site[stage.span].index)].name
      let key = Key(series: stage.series, name: name)
      groups[key, default: StageGroup(series: stage.series, name: trace.names[name])].count += 1
      groups[key]?.time &+= trace.spans.end[stage.span] &- trace.spans.start[stage.span]
      seen[key, default: []].insert(stage.frame)
    }
    for (key, frames) in seen { groups[key]?.frames = frames.count }
    return groups.values.sorted {
      ($0.series, $1.count, $0.name) < ($1.series, $0.count, $1.name)
    }
  }

  var stageTable: Table? {
    guard !stages.isEmpty else { return nil }
    var table = Table([
      .number("count", least: 6), .number("frames"), .number("total ms"),
      .words("stage", least: 16), .words("series", least: 16),
    ])
    for group in stages {
      table.append([
        .text(Figure.count(group.count)), .text(Figure.count(group.frames)),
        .text(Figure.milliseconds(group.time)), .text(PrintableText(group.name).text),
        .text(PrintableText(trace.frameSeries[group.series].name).text),
      ])
    }
    return table
  }

  /// What became of the frames of series where that is known, and when none were wanted.
  var displayTable: Table? {
    let told = trace.frameSeries.filter { $0.mode == .presented || !$0.rests.isEmpty }
    guard !told.isEmpty else { return nil }
    var table = Table([
      .number("shown", least: 6), .number("dropped"), .number("not told"),
      .number("behind target"), .number("by ms"), .number("rests"), .words("series", least: 16),
    ])
    for series in told {
      let isShown = series.mode == .presented
      let judged = isShown ? JudgedFrames(of: series, in: trace) : nil
      table.append([
        .text(judged.map { Figure.count($0.shownCount) } ?? "-"),
        .text(judged.map { Figure.count($0.dropped.count) } ?? "-"),
        .text(judged.map { Figure.count($0.untold) } ?? "-"),
        .text(judged.map { Figure.count($0.latency.frames) } ?? "-"),
        .text(judged.map { Figure.milliseconds($0.latency.mean) } ?? "-"),
        .text(Figure.count(series.rests.count)), .text(PrintableText(series.name).text),
      ])
    }
    return table
  }

  /// The same of one series, for a program.
  func writeDisplay(of series: Trace.FrameSeries, to json: inout JSONWriter) {
    let judged = series.mode == .presented ? JudgedFrames(of: series, in: trace) : nil
    json.member("shown", judged?.shownCount)
    json.member("dropped", judged?.dropped.count)
    json.member("untold", judged?.untold)
    json.member("behind_target", judged?.latency.frames)
    json.member("mean_behind_target_ns", judged?.latency.mean)
    json.member("pauses", series.rests.filter { $0.kind == .paused }.count)
    json.member("rests", series.rests.filter { $0.kind == .noFrameNeeded }.count)
  }

  func writeStages(to json: inout JSONWriter) {
    json.array("stages", of: stages) { json, group in
      json.object(onOneLine: true) { json in
        json.member("series", trace.frameSeries[group.series].name)
        json.member("name", group.name)
        json.member("count", group.count)
        json.member("frames", group.frames)
        json.member("total_ns", group.time)
      }
    }
  }
}

extension JudgedFrames {
  /// How many of the frames were shown.
  var shownCount: Int {
    frames.reduce(0) {
      if case .shown = $1.display { return $0 + 1 }
      return $0
    }
  }
}
