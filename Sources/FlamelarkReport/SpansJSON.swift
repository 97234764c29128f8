internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension SpansReport {
  /// The report for a program, described in `Documentation/SpansJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.spans/1")
      json.member("file", file)
      writeSource(of: trace, to: &json)
      json.member("from_ns", range.lowerBound)
      json.member("to_ns", range.upperBound)
      json.member("by", options.statistics.grouping == .site ? "site" : "name")
      json.member("sort", options.order.rawValue)
      json.array("threads", of: tracks) { json, track in
        json.object(onOneLine: true) { json in
          json.member("name", track.name)
          json.member("kind", track.kind.rawValue)
          json.member("process", track.processID)
          json.member("thread", track.threadID)
        }
      }
      json.member("busy_ns", statistics.busyTime)
      json.member("count", count)
      json.member("unfinished", unfinished)
      json.member("folded_count", foldedCount)
      json.member("unplaced_folded_ns", statistics.unplacedTime)
      json.member("over_depth", statistics.overDepth)
      json.array("spans", of: groups) { json, group in
        json.object(onOneLine: true) { write(group, to: &$0) }
      }
      writeValues(to: &json)
      writeIssues(of: trace, to: &json)
    }
    return json.bytes
  }

  private func write(_ group: SpanStatistics.Group, to json: inout JSONWriter) {
    let place = place(of: group)
    json.member("name", trace.names[group.name])
    if options.statistics.grouping == .site {
      json.member("file", place?.file)
      json.member("line", place.flatMap { $0.line > 0 ? $0.line : nil })
      json.member("category", category(of: group))
    }
    json.member("count", group.count)
    json.member("total_ns", group.total)
    json.member("self_ns", group.selfTime)
    json.member("p50_ns", group.durations?.median)
    json.member("p90_ns", group.durations?.p90)
    json.member("p99_ns", group.durations?.p99)
    json.member("max_ns", group.durations?.longest)
    json.member("unfinished", group.unfinished)
    json.member("folded_count", group.foldedCount)
    json.member("folded_ns", group.foldedTime)
    json.member("folded_max_ns", group.foldedCount > 0 ? group.foldedLongest : nil)
    json.member("share", share(of: group))
  }
}
