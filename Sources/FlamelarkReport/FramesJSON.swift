internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension FramesReport {
  /// The report for a program, described in `Documentation/FramesJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.frames/1")
      json.member("activity", options.selection.activity)
      json.object("skipped", onOneLine: true) { json in
        var frames: Int?
        var time: Int64?
        switch options.selection.skip {
        case .frames(let count): frames = count
        case .time(let length): time = length
        case nil: break
        }
        json.member("frames", frames)
        json.member("time_ns", time)
      }
      json.object("verdict", onOneLine: true) { json in
        json.member("band", worst.flatMap { band(of: $0.spread.pooled) }?.rawValue)
        json.member("scale", options.scale.rawValue)
        json.member("hitch_ratio_ms_per_s", hitchRatio)
        json.member("series", worst?.name)
      }
      json.array("over_sessions", of: groups) { json, group in
        json.object { write(group, to: &$0) }
      }
      json.array("sessions", of: sessions) { json, session in
        json.object { write(session, to: &$0) }
      }
    }
    return json.bytes
  }

  private func write(_ group: Group, to json: inout JSONWriter) {
    json.member("name", group.name)
    json.member("hitch_ratio_is_approximate", group.isApproximate)
    write(group.spread, to: &json)
    json.array("activities", of: group.activities) { json, activity in
      json.object(onOneLine: true) { json in
        json.member("name", activity.name)
        json.member("occurrences", activity.occurrences.count)
        json.member("frames", activity.frames)
        json.member("hitch_count", activity.hitches)
        write(activity.spread, to: &json)
      }
    }
  }

  private func write(_ spread: RatioSpread, to json: inout JSONWriter) {
    json.member("n", spread.count)
    json.member("hitch_ns", spread.pooled.hitchTime)
    json.member("active_ns", spread.pooled.activeTime)
    json.member("hitch_ratio_ms_per_s", spread.pooled.hitchRatio)
    json.member("band", band(of: spread.pooled)?.rawValue)
    json.member("p50_ms_per_s", spread.median ?? .nan)
    json.member("p90_ms_per_s", spread.p90 ?? .nan)
    json.member("worst_ms_per_s", spread.worst ?? .nan)
  }

  private func write(_ session: Session, to json: inout JSONWriter) {
    json.member("file", session.file)
    writeSource(of: session.head, to: &json)
    json.member("from_ns", session.range.lowerBound)
    json.member("to_ns", session.range.upperBound)
    json.member("lost", Unmeasured(in: session.head).lost)
    json.array("series", of: session.series) { json, series in
      json.object { write(series, to: &$0) }
    }
    writeIssues(of: session.head, to: &json)
  }

  private func write(_ series: FrameFigures, to json: inout JSONWriter) {
    json.member("name", series.name)
    json.member("mode", series.mode.rawValue)
    json.member("frames", series.frameCount)
    json.member("cut_frames", series.cutFrames)
    json.member("active_ns", series.part.activeTime)
    json.member("idle_ns", series.idleTime)
    json.member("hitch_ns", series.part.hitchTime)
    json.member("hitch_ratio_ms_per_s", series.hitchRatio)
    json.member("hitch_ratio_is_approximate", series.isApproximate)
    json.member("band", band(of: series.part)?.rawValue)
    json.member("estimated_targets", series.estimatedTargets)
    json.member("hitch_count", series.hitches.count)
    json.object("lateness", onOneLine: true) { $0.write(series.hitches.lateness) }
    json.object("late_by", onOneLine: true) { json in
      for (name, count) in zip(
        ["one_interval", "two_intervals", "four_intervals", "more"], series.hitches.byIntervals)
      { json.member(name, count) }
    }
    json.object("frozen", onOneLine: true) { json in
      json.member("frames", series.frozen.count)
      json.member("time_ns", series.frozen.time)
      json.member("hitch_ratio_without_ms_per_s", series.frozen.ratioWithout)
    }
    json.member("missed_refreshes", series.missedRefreshes)
    json.object("near_misses", onOneLine: true) { json in
      json.member("frames", series.nearMisses?.count)
      json.member("of", series.nearMisses?.known)
    }
    writeShown(series, to: &json)
    writeRate(series, to: &json)
    writeRefresh(series.refresh, to: &json)
    json.object("pacing_error", onOneLine: true) { json in
      json.member("measure", series.pacing.measure.rawValue)
      json.member("pairs", series.pacing.pairs)
      json.member("above_tolerance", series.pacing.count)
      json.write(series.pacing.errors)
      json.member("worst_frame", series.pacing.worstFrame)
    }
    writeActivities(series.activities, to: &json)
    if let outcome = series.byRule { json.object("by_rule") { $0.write(outcome) } }
    writeColumns(series, to: &json)
  }

  private func writeShown(_ series: FrameFigures, to json: inout JSONWriter) {
    json.object("shown", onOneLine: true) { json in
      json.member("dropped", series.dropped?.count)
      json.member("untold", series.untold)
      json.member("behind_target", series.latency?.frames)
      json.member("mean_behind_target_ns", series.latency?.mean)
      json.write(series.latency?.behind)
    }
    json.array("dropped_frames", of: series.dropped ?? [], onOneLine: true) { $0.number($1) }
    json.array("latency_runs", of: series.latency?.runs ?? []) { json, run in
      json.object(onOneLine: true) { json in
        json.member("first_frame", run.firstFrame)
        json.member("frames", run.frames)
        json.member("mean_behind_target_ns", run.mean)
      }
    }
  }

  private func writeRate(_ series: FrameFigures, to json: inout JSONWriter) {
    json.object("fps") { json in
      json.member("frames", series.times.count)
      json.member("mean", series.rate.mean ?? .nan)
      json.member("p50", series.rate.median ?? .nan)
      json.member("least", series.rate.least ?? .nan)
      json.member("left_over_frames", series.rate.leftOver)
      json.array("windows", of: series.rate.windows) { json, window in
        json.object(onOneLine: true) { json in
          json.member("start_ns", window.start)
          json.member("frames", window.frames)
          json.member("active_ns", window.time)
          json.member("fps", window.framesPerSecond)
        }
      }
      json.array("lows", of: series.lows) { json, low in
        json.object(onOneLine: true) { json in
          json.member("part", Double(low.perMille) / 1000)
          json.member("time_integral_fps", FrameLow.framesPerSecond(low.timeIntegral))
          json.member("time_integral_ns", low.timeIntegral)
          json.member("percentile_fps", FrameLow.framesPerSecond(low.percentile))
          json.member("percentile_ns", low.percentile)
          json.member("longest_ns", low.longest)
        }
      }
      json.object("fpsmonitor", onOneLine: true) { json in
        let rule = options.tellsFPSMonitor ? series.fpsMonitor : nil
        json.array("rates", of: rule?.rates ?? []) { $0.number($1) }
        json.member("unseen_ns", rule?.unseenTime)
        json.member("longest_unseen_ns", rule?.longestUnseen)
      }
    }
  }

  private func writeRefresh(_ refresh: RefreshRates, to json: inout JSONWriter) {
    json.array("rates", of: refresh.rates) { json, rate in
      json.object(onOneLine: true) { json in
        json.member("interval_ns", rate.interval)
        json.member("frames", rate.frames)
        json.member("active_ns", rate.activeTime)
        json.member("hitch_count", rate.hitches)
        json.member("hitch_ns", rate.hitchTime)
        json.member("hitch_ratio_ms_per_s", rate.hitchRatio)
      }
    }
    json.member("rate_changes", refresh.changes)
    json.array("rate_runs", of: refresh.runs) { json, run in
      json.object(onOneLine: true) { json in
        json.member("start_ns", run.start)
        json.member("first_frame", run.firstFrame)
        json.member("interval_ns", run.interval)
        json.member("frames", run.frames)
        json.member("active_ns", run.activeTime)
      }
    }
  }

  private func writeActivities(_ activities: [ActivityFigures], to json: inout JSONWriter) {
    json.array("activities", of: activities) { json, activity in
      json.object { json in
        json.member("name", activity.name)
        json.member("frames", activity.frames)
        json.member("hitch_count", activity.hitches)
        write(activity.spread, to: &json)
        json.array("occurrences", of: activity.occurrences) { json, occurrence in
          json.object(onOneLine: true) { json in
            json.member("start_ns", occurrence.range.lowerBound)
            json.member("end_ns", occurrence.range.upperBound)
            json.member("unfinished", occurrence.isUnfinished)
            json.member("frames", occurrence.frames)
            json.member("hitch_count", occurrence.hitches)
            json.member("hitch_ns", occurrence.part.hitchTime)
            json.member("active_ns", occurrence.part.activeTime)
            json.member("hitch_ratio_ms_per_s", occurrence.part.hitchRatio)
          }
        }
      }
    }
  }

  private func writeColumns(_ series: FrameFigures, to json: inout JSONWriter) {
    json.array("columns", of: FrameColumns(series.times, most: FramesText.mostColumns).columns) {
      json, column in
      json.object(onOneLine: true) { json in
        json.member("first_frame", column.firstFrame)
        json.member("frames", column.frames)
        json.member("worst_frame", column.worst.number)
        json.member("start_ns", column.worst.start)
        json.member("frame_time_ns", column.worst.duration)
        json.member("interval_ns", column.worst.interval)
        json.member("lateness_ns", column.worst.lateness)
      }
    }
  }
}

extension JSONWriter {
  /// Percentiles by nearest rank, and the greatest; null without values.
  fileprivate mutating func write(_ durations: SpanStatistics.Durations?) {
    member("p50_ns", durations?.median)
    member("p90_ns", durations?.p90)
    member("p99_ns", durations?.p99)
    member("max_ns", durations?.longest)
  }
}
