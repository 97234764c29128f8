internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension InfoReport {
  /// The report for a program: everything that the text says, and each activity.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.info/1")
      json.member("file", file)
      writeSource(of: trace, to: &json)
      json.member("from_ns", trace.range.lowerBound)
      json.member("to_ns", trace.range.upperBound)
      json.member("spans", trace.spans.count)
      json.member("unfinished_spans", trace.spans.unfinished.count)
      json.member("call_sites", trace.callSites.count)
      writeCategories(to: &json)
      writeThreads(to: &json)
      writeLinks(to: &json)
      writeSeries(to: &json)
      writeStages(to: &json)
      json.array("frame_candidates", of: candidates) { json, candidate in
        json.object(onOneLine: true) { json in
          json.member("name", candidate.name)
          json.member("kind", candidate.kind.rawValue)
          json.member("count", candidate.count)
          json.member("coverage", candidate.coverage)
          json.member("thread", candidate.track)
        }
      }
      writeActivities(to: &json)
      writeCounters(to: &json)
      json.array("markers", of: markers) { json, group in
        json.object(onOneLine: true) { json in
          json.member("name", group.name)
          json.member("count", group.count)
          json.member("first_ns", group.first)
        }
      }
      writeValues(to: &json)
      writeThreadStates(to: &json)
      writeDeviceClocks(to: &json)
      writeModules(to: &json)
      writeIssues(of: trace, to: &json)
    }
    return json.bytes
  }

  private func writeThreads(to json: inout JSONWriter) {
    json.array("threads", of: threads.filter { $0.track.kind != .task }) { json, row in
      json.object(onOneLine: true) { json in
        json.member("name", row.track.name)
        json.member("role", row.track.role)
        json.member("kind", row.track.kind.rawValue)
        json.member("process", row.track.processID)
        json.member("thread", row.track.threadID)
        json.member("spans", row.track.spans.count)
        json.member("in_spans_ns", row.busy)
        json.member("depth", row.depth)
        json.member("over_depth", row.track.counts.overDepth)
        json.member("below_minimum", row.track.counts.belowMinimum)
        json.member("below_minimum_ns", row.track.counts.belowMinimumTime)
        json.member("detached", row.track.counts.detached)
        json.member("lost", row.track.counts.lost)
      }
    }
  }

  private func writeSeries(to json: inout JSONWriter) {
    json.array("series", of: trace.frameSeries) { json, series in
      json.object(onOneLine: true) { json in
        json.member("name", series.name)
        json.member("mode", series.mode.rawValue)
        json.member("frames", series.frames.count)
        json.member("from_ns", series.frames.first?.timestamp)
        json.member("to_ns", series.frames.last.map { $0.end ?? $0.timestamp })
        json.member("refresh_ns", series.refresh)
        json.member("hitches_marked_while_recording", series.markedByRecorder.count)
        json.member("hitches_marked_by_program", series.markedByProgram.count)
        writeDisplay(of: series, to: &json)
      }
    }
  }

  private func writeActivities(to json: inout JSONWriter) {
    json.array("activities", of: trace.activities) { json, activity in
      json.object(onOneLine: true) { json in
        json.member("name", trace.names[activity.name])
        json.member("start_ns", activity.range.lowerBound)
        json.member("end_ns", activity.range.upperBound)
        json.member("series", activity.series.map { trace.frameSeries[$0].name })
        json.member("unfinished", activity.isUnfinished)
      }
    }
  }

  private func writeCounters(to json: inout JSONWriter) {
    json.array("counters", of: trace.counters) { json, counter in
      json.object(onOneLine: true) { json in
        json.member("name", trace.names[counter.name])
        json.member("values", counter.values.count)
        json.member("least", counter.values.min() ?? .nan)
        json.member("greatest", counter.values.max() ?? .nan)
        json.member("last", counter.values.last ?? .nan)
      }
    }
  }
}

/// What both reports say about where a trace comes from.
func writeSource(of trace: Trace, to json: inout JSONWriter) {
  json.member("zero_unix_ns", trace.wallClockZero)
  json.member(
    "zero_utc", trace.wallClockZero.map { WallClock(nanosecondsSince1970: $0).iso })
  json.object("source") { json in
    json.member("kind", trace.source.kind.rawValue)
    json.member("process", trace.source.processID)
    json.member("ending", trace.source.ending.rawValue)
    json.member("maximum_depth", trace.source.maximumDepth)
    json.member("minimum_duration_ns", trace.source.minimumDuration)
    writeFilters(of: trace, to: &json)
    json.object("properties") { json in
      for (name, value) in trace.source.properties.sorted(by: { $0.key < $1.key }) {
        json.member(name, value)
      }
    }
  }
}

private func writeFilters(of trace: Trace, to json: inout JSONWriter) {
  json.array("filters", of: trace.source.filters) { json, filter in
    json.object { json in
      json.member("from_ns", filter.time)
      json.member("maximum_depth", filter.maximumDepth)
      json.member("minimum_duration_ns", filter.minimumDuration)
      json.array("exceptions", of: filter.exceptions) { json, exception in
        json.object(onOneLine: true) { json in
          json.member("of", exception.subject.rawValue)
          json.member("text", exception.text)
          json.member("maximum_depth", exception.maximumDepth)
          json.member("minimum_duration_ns", exception.minimumDuration)
        }
      }
    }
  }
}

/// What was repaired, dropped or lost.
func writeIssues(of trace: Trace, to json: inout JSONWriter) {
  json.array("issues", of: trace.issues) { json, issue in
    json.object(onOneLine: true) { json in
      json.member("text", issue.text)
      json.member("count", issue.count)
      json.member("offset", issue.offset)
    }
  }
}
