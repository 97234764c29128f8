internal import FlamelarkAnalysis

extension CheckReport {
  /// The report for a program, described in `Documentation/CheckJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.check/1")
      json.member("passes", isKept)
      json.member("verdict", verdict)
      json.array("items", of: items) { json, item in
        json.object(onOneLine: true) { json in
          json.member("name", item.name)
          json.member("passes", item.isKept)
          json.member("sentence", item.sentence)
        }
      }
      json.member("hitch_ratio_ms_per_s", set.hitchRatio)
      json.member("low_ms_per_s", set.interval?.lowerBound ?? .nan)
      json.member("high_ms_per_s", set.interval?.upperBound ?? .nan)
      json.member("confidence", 1 - Difference.level)
      json.member("unit", set.unit.rawValue)
      json.member("least_seen_ms_per_s", compared?.comparison.ratio.leastSeen ?? set.leastSeen)
      json.member("max_hitch_ratio_ms_per_s", limits.hitchRatio ?? .nan)
      json.member("max_p90_ms_per_s", limits.p90 ?? .nan)
      json.object("sessions", onOneLine: true) { json in
        json.member("count", set.sessions.count)
        json.member("p50_ms_per_s", set.sessions(percentile: 50))
        json.member("p90_ms_per_s", set.sessions(percentile: 90))
      }
      json.array("runs", of: zip(files, runs)) { CompareReport.write($1.0, $1.1, to: &$0) }
      if let compared {
        json.object("baseline") { compared.write(to: &$0) }
      } else {
        json.member("baseline", nil as String?)
      }
      json.array("left_out", of: leftOut)
      json.array("notes", of: notes)
    }
    return json.bytes
  }
}
