internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension BlameReport {
  /// The report for a program, described in `Documentation/BlameJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.blame/2")
      json.member("file", file)
      writeSource(of: trace, to: &json)
      let range = options.selection.range
      json.member("from_ns", range?.lowerBound ?? trace.range.lowerBound)
      json.member("to_ns", min(range?.upperBound ?? .max, trace.range.upperBound))
      writeSelection(to: &json)
      json.object("verdict", onOneLine: true) { json in
        json.member("band", options.scale.band(of: hitchRatio).rawValue)
        json.member("scale", options.scale.rawValue)
        json.member("hitch_ratio_ms_per_s", hitchRatio)
        json.member("series", worst?.name)
      }
      json.array("series", of: series) { json, series in
        json.object { write(series, to: &$0) }
      }
      writeNotMeasured(to: &json)
      writeIssues(of: trace, to: &json)
    }
    return json.bytes
  }

  private func writeSelection(to json: inout JSONWriter) {
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
  }

  private func write(_ series: Judgement, to json: inout JSONWriter) {
    let frames = series.frames
    json.member("name", series.name)
    json.member("mode", frames.series.mode.rawValue)
    json.member("frames", frames.frames.count)
    json.member("cut_frames", series.cutFrames)
    json.member("active_ns", frames.activeTime)
    json.member("idle_ns", frames.idleTime)
    json.member("hitch_ns", frames.hitchTime)
    json.member("hitch_ratio_ms_per_s", frames.hitchRatio)
    json.member("hitch_ratio_is_approximate", series.isApproximate)
    json.member("band", options.scale.band(of: frames.hitchRatio).rawValue)
    json.member("hitch_count", series.hitches.count)
    json.member("explained", series.explained)
    json.member("declines", series.declines)
    json.member("confidence_hitches", series.confidenceHitches)
    json.member("if_first_three_normal_ms_per_s", series.ratioIfFirstThreeNormal ?? .nan)
    json.object("lateness", onOneLine: true) { json in
      json.member("p50_ns", series.lateness(percentile: 50))
      json.member("p90_ns", series.lateness(percentile: 90))
      json.member("max_ns", series.lateness(percentile: 100))
    }
    json.object("frozen", onOneLine: true) { json in
      json.member("hitches", series.frozen)
      json.member("hitch_ratio_without_ms_per_s", series.ratioWithoutFrozen)
    }
    writeShown(frames, to: &json)
    json.array("rates_ns", of: frames.rates, onOneLine: true) { $0.number($1) }
    json.member("rate_changes", frames.rateChanges)
    json.member("estimated_targets", frames.estimatedTargets)
    json.object("good_frames", onOneLine: true) { json in
      json.member("count", series.goodFrames)
      json.member("median_ns", series.goodFrameTime.median)
      json.member("p95_ns", series.goodFrameTime.p95)
    }
    json.object("folded", onOneLine: true) { json in
      json.member("placed_ns", series.foldedTime.placed)
      json.member("left_ns", series.foldedTime.left)
    }
    json.array("strata", of: series.strata) { json, stratum in
      json.object(onOneLine: true) { json in
        json.member("interval_ns", stratum.interval)
        json.member("tag", stratum.tag)
        json.member("frames", stratum.frameCount)
        json.member("good_frames", stratum.goodFrames)
        json.member("widened", stratum.isWidened)
        json.member("systemic", stratum.isSystemic)
      }
    }
    json.array("hitches", of: series.hitches) { json, hitch in
      json.object { hitch.write(to: &$0, zero: trace.wallClockZero) }
    }
    json.array("causes", of: series.causes) { json, cause in
      json.object(onOneLine: true) { json in
        cause.write(to: &json)
        json.member("hitches", cause.hitchCount)
        json.member("first_in", cause.topCount)
        json.member("blame_low_ns", cause.confidence?.blame.lowerBound)
        json.member("blame_high_ns", cause.confidence?.blame.upperBound)
        json.member("p_first", cause.confidence?.first ?? .nan)
        json.member("if_normal_ms_per_s", cause.ratioIfNormal ?? .nan)
      }
    }
    json.array("clusters", of: series.clusters) { json, cluster in
      json.object(onOneLine: true) { $0.write(cluster) }
    }
    writeMarks(of: series, to: &json)
    json.member("exact_hitches", series.exactHitches)
  }

  private func writeMarks(of series: Judgement, to json: inout JSONWriter) {
    json.array("marked_by_program", of: series.marked) { json, mark in
      json.object(onOneLine: true) { json in
        json.member("frame", mark.frame)
        json.member("lateness_ns", series.lateness(ofFrame: mark.frame))
        json.member("time_ns", mark.time)
        json.member("time_utc", trace.wallClock(at: mark.time)?.iso)
        json.member("reason", trace.names[mark.reason])
      }
    }
    json.object("marked_while_recording", onOneLine: true) { json in
      json.member("hitches", series.recorderMarks?.count)
      json.member("found", series.recorderMarks?.found)
    }
  }

  private func writeNotMeasured(to json: inout JSONWriter) {
    let counts = Unmeasured(in: trace)
    json.object("not_measured") { json in
      json.member("over_depth", counts.overDepth)
      json.member("below_minimum", counts.belowMinimum)
      json.member("below_minimum_ns", counts.belowMinimumTime)
      json.member("lost", counts.lost)
      json.member("detached", counts.detached)
      json.member("unfinished_spans", trace.spans.unfinished.count)
    }
  }
}
