internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension CompareReport {
  /// The report for a program, described in `Documentation/CompareJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.compare/1")
      write(to: &json)
    }
    return json.bytes
  }

  /// The members that the JSON of a check has too.
  func write(to json: inout JSONWriter) {
    json.member("verdict", comparison.verdict.rawValue)
    json.member("unit", comparison.unit.rawValue)
    json.member("confidence", 1 - Difference.level)
    json.object("hitch_ratio_ms_per_s", onOneLine: true) { json in
      Self.write(comparison.ratio, comparison.ratio.interval(), to: &json)
      let relative = comparison.ratio.relativeInterval()
      json.member("relative_change", comparison.ratio.relativeChange)
      json.member("relative_low", relative?.lowerBound ?? .nan)
      json.member("relative_high", relative?.upperBound ?? .nan)
      json.member("probability", comparison.ratio.probability)
    }
    json.member("least_change_ms_per_s", comparison.leastChange)
    json.member("least_seen_ms_per_s", comparison.ratio.leastSeen)
    json.member("scale", options.scale.rawValue)
    json.object("bands", onOneLine: true) { json in
      json.member("a", options.scale.band(of: comparison.ratio.a).rawValue)
      json.member("b", options.scale.band(of: comparison.ratio.b).rawValue)
    }
    json.array("a", of: zip(a, comparison.a)) { Self.write($1.0, $1.1, to: &$0) }
    json.array("b", of: zip(b, comparison.b)) { Self.write($1.0, $1.1, to: &$0) }
    json.array("causes", of: comparison.causes) { json, change in
      json.object(onOneLine: true) { json in
        json.member("kind", change.signature.kind.rawValue)
        json.member("thread", change.signature.thread)
        json.array("path", of: change.signature.path)
        json.member("verdict", change.verdict.rawValue)
        json.member("runs_a", change.runs.a)
        json.member("runs_b", change.runs.b)
        Self.write(change.blame, change.interval, to: &json)
      }
    }
    writeOverruns(to: &json)
    json.array("spans", of: comparison.spans) { json, span in
      json.object(onOneLine: true) { json in
        json.member("name", span.name)
        json.member("differs", span.differs)
        Self.write(span.time, span.interval, to: &json)
      }
    }
    json.array("mismatches", of: comparison.mismatches) { json, mismatch in
      json.object(onOneLine: true) { json in
        json.member("of", mismatch.subject.rawValue)
        json.member("refused", mismatch.isRefused)
        json.member("not_known", mismatch.isUnknown)
        json.array("a", of: mismatch.a)
        json.array("b", of: mismatch.b)
      }
    }
    json.array("notes", of: notes)
  }

  private static func write(
    _ difference: Difference, _ interval: ClosedRange<Double>?, to json: inout JSONWriter
  ) {
    json.member("a", difference.a)
    json.member("b", difference.b)
    json.member("change", difference.change)
    json.member("low", interval?.lowerBound ?? .nan)
    json.member("high", interval?.upperBound ?? .nan)
  }

  static func write(_ file: String, _ run: RunFigures, to json: inout JSONWriter) {
    json.object(onOneLine: true) { json in
      json.member("file", file)
      json.member("series", run.conditions.series)
      json.member("frames", run.frameCount)
      json.member("hitches", run.hitchCount)
      json.member("active_ns", run.activeTime)
      json.member("hitch_ns", run.hitchTime)
      json.member("hitch_ratio_ms_per_s", run.hitchRatio)
    }
  }

  private func writeOverruns(to json: inout JSONWriter) {
    let (a, b) = overruns
    let distance = a.distance(to: b)
    json.object("overruns") { json in
      json.member("mean_distance_ns", distance?.mean ?? .nan)
      json.member("widest_gap", distance?.widest ?? .nan)
      json.member("widest_gap_at_ns", distance?.place)
      json.array("percentiles", of: [50, 90, 99, 100]) { json, percent in
        json.object(onOneLine: true) { json in
          let difference = comparison.overruns(percentile: percent)
          let interval = difference?.interval()
          json.member("percent", percent)
          json.member("a_ns", a.percentile(percent))
          json.member("b_ns", b.percentile(percent))
          json.member("mean_of_runs_a_ns", difference?.a ?? .nan)
          json.member("mean_of_runs_b_ns", difference?.b ?? .nan)
          json.member("low_ns", interval?.lowerBound ?? .nan)
          json.member("high_ns", interval?.upperBound ?? .nan)
        }
      }
      let bounds = [nil] + Self.overrunBounds.map { $0 as Int64? } + [nil]
      json.array("parts", of: zip(bounds, bounds.dropFirst())) { json, part in
        json.object(onOneLine: true) { json in
          json.member("from_ns", part.0)
          json.member("to_ns", part.1)
          json.member("a", a.share(from: part.0, to: part.1))
          json.member("b", b.share(from: part.0, to: part.1))
        }
      }
    }
  }
}
