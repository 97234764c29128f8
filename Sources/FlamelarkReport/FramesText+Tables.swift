internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension FramesText {
  /// Frames per second: the mean, windows, lows.
  func frameRate(_ series: FrameFigures) -> [String] {
    guard let mean = series.rate.mean else { return [] }
    var table = Table([
      .words("", least: 8), .number("fps", least: 7), .number("frame time"), .words("of what"),
    ])
    func add(_ name: String, _ rate: Double, _ time: Int64?, _ words: String) {
      table.append([
        .text(name), .text(FramesText.rate(rate)),
        .text(time.map { Figure.milliseconds($0) + " ms" } ?? "-"), .text(words),
      ])
    }
    add(
      "mean", mean, nil,
      "\(Figure.count(series.times.count, "frame")) in \(Figure.duration(series.part.activeTime))")
    let windows = series.rate.windows
    if let median = series.rate.median, let least = series.rate.least {
      add(
        "p50", median, nil,
        "\(Figure.count(windows.count, "window")) of 1 s, no gaps, "
          + "\(Figure.count(series.rate.leftOver, "frame")) left over")
      let slowest = windows.first { $0.framesPerSecond == least }?.start ?? 0
      add("least", least, nil, "the window from \(Figure.seconds(slowest, decimals: 3)) s")
    }
    for low in series.lows {
      let part = low.perMille == 10 ? "1 %" : "0.1 %"
      func row(_ time: Int64, _ words: String) {
        add(
          "\(part) low", FrameLow.framesPerSecond(time), time,
          words + (time == low.longest ? ", one frame" : ""))
      }
      row(low.timeIntegral, "time-integral: slowest \(part) of time")
      row(low.percentile, "percentile: slowest \(part) of frames")
    }
    var lines = ["", heading("Frames per second", [])] + table.lines(width: width)
    if windows.isEmpty { lines.append("  no second of active time, so no windows") }
    if report.options.tellsFPSMonitor { lines += fpsMonitor(series.fpsMonitor) }
    return lines
  }

  private func fpsMonitor(_ rule: FPSMonitorRule) -> [String] {
    let shown = rule.rates.prefix(24).map { "\($0)" }.joined(separator: " ")
    let more = rule.rates.count > 24 ? " …" : ""
    return wrapped(
      "fpsmonitor would have told \(rule.rates.isEmpty ? "nothing" : shown + more); it doesn't see "
        + "\(Figure.milliseconds(rule.unseenTime)) ms between its windows, "
        + "\(Figure.milliseconds(rule.longestUnseen)) ms of it at once",
      width: width, first: "  ", next: "    ")
  }

  /// The refresh rates, and where they change.
  func refreshRates(_ series: FrameFigures) -> [String] {
    let refresh = series.refresh
    guard refresh.rates.count > 1, series.part.activeTime > 0 else {
      guard let only = refresh.rates.first else { return [] }
      return [
        "",
        heading(
          "Refresh rate",
          [
            "\(Figure.hertz(only.interval)) Hz, \(Figure.milliseconds(only.interval, decimals: 3)) ms"
          ]),
      ]
    }
    var table = Table([
      .number("Hz", least: 6), .number("interval"), .number("frames"), .number("active"),
      .number("share"), .number("hitches"), .number("ms/s"),
    ])
    let percents = shares(of: 100, among: refresh.rates.map(\.activeTime))
    let most = 8
    for (rate, percent) in zip(refresh.rates, percents).prefix(most) {
      table.append([
        .text(Figure.hertz(rate.interval)),
        .text(Figure.milliseconds(rate.interval, decimals: 3) + " ms"),
        .text(Figure.count(rate.frames)), .text(Figure.seconds(rate.activeTime) + " s"),
        .text("\(percent)%"), .text(Figure.count(rate.hitches)),
        .text(Figure.ratio(rate.hitchRatio)),
      ])
    }
    var lines =
      ["", heading("Refresh rates", [Figure.count(refresh.changes, "change")])]
      + table.lines(width: width)
    if refresh.rates.count > most {
      lines.append("  \(Figure.count(refresh.rates.count - most, "more rate")) that are slower")
    }
    let runs = refresh.runs.prefix(10).map { "f\($0.firstFrame) \(Figure.hertz($0.interval))" }
    return lines
      + wrapped(
        "from frame, Hz: " + runs.joined(separator: ", ") + (refresh.runs.count > 10 ? ", …" : ""),
        width: width, first: "  ", next: "    ")
  }

  /// Judder without a late frame.
  func pacing(_ series: FrameFigures) -> [String] {
    let pacing = series.pacing
    guard let errors = pacing.errors else { return [] }
    let measure =
      switch pacing.measure {
      case .frameTime: "frame times of neighbours in time, beyond a change of rate"
      case .animation: "from begin to begin against from shown to shown, of frames in time"
      }
    var words = [
      "p50 \(Figure.milliseconds(errors.median))  p90 \(Figure.milliseconds(errors.p90))  "
        + "p99 \(Figure.milliseconds(errors.p99))  max \(Figure.milliseconds(errors.longest)) ms",
      "above the tolerance \(Figure.count(pacing.count)) of \(Figure.count(pacing.pairs, "pair"))",
    ]
    if errors.longest > 0, let worst = pacing.worstFrame { words.append("worst at frame \(worst)") }
    return ["", heading("Pacing error", [measure])] + phrases(words)
  }

  /// The activities by name, and the worst of them one by one.
  func activities(_ activities: [FramesReport.GroupedActivity]) -> [String] {
    guard !activities.isEmpty else { return [] }
    var table = Table([
      .number("count", least: 6), .number("ms/s"), .number("p50"), .number("p90"),
      .number("worst"), .number("hitches"), .number("frames"), .number("active"),
      .words("activity", least: 12),
    ])
    let most = 12
    for activity in activities.prefix(most) {
      let spread = activity.spread
      func cell(_ value: Double?) -> Table.Cell { .text(value.map { Figure.ratio($0) } ?? "-") }
      table.append([
        .text(Figure.count(activity.occurrences.count)),
        cell(spread.count > 0 ? spread.pooled.hitchRatio : nil), cell(spread.median),
        cell(spread.p90), cell(spread.worst), .text(Figure.count(activity.hitches)),
        .text(Figure.count(activity.frames)),
        .text(Figure.seconds(spread.pooled.activeTime) + " s"),
        .text(PrintableText(activity.name).text),
      ])
    }
    var lines = ["", heading("Activities", ["ms/s pooled over all of a name"])]
    lines += table.lines(width: width)
    if activities.count > most {
      lines.append("  \(Figure.count(activities.count - most, "more name"))")
    }
    let few = activities.filter { $0.spread.p90 == nil && $0.spread.count > 0 }
    if !few.isEmpty {
      lines.append("  fewer than \(RatioSpread.leastForP90) with frames: no p90")
    }
    return lines + occurrences(activities)
  }

  private func occurrences(_ activities: [FramesReport.GroupedActivity]) -> [String] {
    let all = activities.flatMap { group in
      group.occurrences.map { (name: group.name, session: $0.session, activity: $0.activity) }
    }
    let most = 6
    let worst = all.enumerated().filter { $0.element.activity.hitches > 0 }.sorted { a, b in
      let (x, y) = (a.element.activity.part.hitchRatio, b.element.activity.part.hitchRatio)
      return x != y ? x > y : a.offset < b.offset
    }.prefix(most).map(\.element)
    guard all.count > activities.count, !worst.isEmpty else { return [] }
    var table = Table([
      .number("ms/s", least: 6), .number("hitches"), .number("frames"), .number("at"),
      .number("lasts"), .words("activity", least: 12),
    ])
    for entry in worst {
      let activity = entry.activity
      let place = report.sessions.count > 1 ? " in \(file(report.sessions[entry.session]))" : ""
      table.append([
        .text(activity.part.activeTime > 0 ? Figure.ratio(activity.part.hitchRatio) : "-"),
        .text(Figure.count(activity.hitches)), .text(Figure.count(activity.frames)),
        .text(Figure.seconds(activity.range.lowerBound, decimals: 3) + " s"),
        .text(
          Figure.duration(activity.range.upperBound &- activity.range.lowerBound)
            + (activity.isUnfinished ? "+" : "")),
        .text(PrintableText(entry.name).text + place),
      ])
    }
    let isCut = worst.contains { $0.activity.isUnfinished }
    return [
      "",
      "  the worst \(worst.count) of \(Figure.count(all.count))"
        + (isCut ? ", + had not ended" : ""),
    ] + table.lines(width: width)
  }

  /// A rate as a person reads it: one decimal.
  static func rate(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "?" }
    return Figure.decimal(Int64((value * 10).rounded()), decimals: 1)
  }
}
