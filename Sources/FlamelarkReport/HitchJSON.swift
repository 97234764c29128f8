internal import FlamelarkAnalysis
internal import FlamelarkTrace

extension HitchReport {
  /// The report for a program, described in `Documentation/HitchJSON.md`.
  public func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", "flamelark.hitch/1")
      json.member("file", file)
      writeSource(of: trace, to: &json)
      json.object("series", onOneLine: true) { json in
        json.member("name", series.name)
        json.member("mode", series.mode.rawValue)
      }
      json.object("hitch") { json in
        hitch.write(to: &json, zero: trace.wallClockZero)
      }
      if let alike {
        json.object("alike") { $0.write(alike.cluster) }
      } else {
        json.member("alike", nil as String?)
      }
      json.array("steps", of: steps) { json, step in
        json.object(onOneLine: true) { write(step, to: &$0) }
      }
      writeIssues(of: trace, to: &json)
    }
    return json.bytes
  }

  private func write(_ step: CriticalStep, to json: inout JSONWriter) {
    let track = trace.tracks.indices.contains(step.track) ? trace.tracks[step.track] : nil
    json.member("start_ns", step.range.lowerBound)
    json.member("end_ns", step.range.upperBound)
    json.member("thread", track?.name)
    json.member("thread_id", track?.threadID)
    json.member("kind", step.kind.rawValue)
    json.array("path", of: step.path)
    json.member("hops", step.hops)
    json.member("link", step.link?.rawValue)
    json.member("earlier_frame", step.earlierFrame)
  }
}

extension Hitch {
  /// Writes what a hitch is and what made it late.
  func write(to json: inout JSONWriter, zero: Int64?) {
    json.member("frame", frame.number)
    json.member("start_ns", window.lowerBound)
    json.member("end_ns", window.upperBound)
    json.member("start_utc", WallClock(zero: zero, offset: window.lowerBound)?.iso)
    json.member("budget_ns", budget)
    json.member("lateness_ns", lateness)
    json.member("hitch_kind", kind.rawValue)
    json.member("root_frame", root)
    json.member("explained", explained)
    json.member("deviations", deviations ?? .nan)
    json.member("cluster", cluster)
    json.array("causes", of: causes) { json, cause in
      json.object(onOneLine: true) { cause.write(to: &$0) }
    }
  }
}

extension JSONWriter {
  /// Writes hitches that are alike.
  mutating func write(_ cluster: HitchCluster) {
    member("signature", cluster.signature)
    member("lateness_ns", cluster.lateness)
    array("frames", of: cluster.frames, onOneLine: true) { $0.number($1) }
  }
}
